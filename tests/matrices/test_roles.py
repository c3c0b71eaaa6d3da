"""R2: every page, role and method is allowed or refused as its policy says."""

from collections import deque
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

import time_machine
from django.urls import reverse

from console.accounts.roles import BUSINESS, GRANTS, Permission, Role
from tests.matrices.pages import PAGES, Page
from tests.proofs import Proven, is_full, proof

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
# Pages whose verb requires more than their policy: the form to send and the permission needed.
# None means nobody: no one in this world has the invited e-mail address.
DECIDING = {"role": "legal", "signed_set_sha256": "0" * 64, "note": "Name the second director."}
FINER: dict[str, tuple[dict[str, str], Permission | None]] = {
    "accounts:accept": ({}, None),
    "agreements:confirm_name": ({}, None),  # only where the names differ
    "onboarding:result_ready": ({}, None),  # only with a signature
    "agreements:approve": (DECIDING, Permission.APPROVE_LEGAL),
    "agreements:send_back": (DECIDING, Permission.APPROVE_LEGAL),
    "publishing:propose": (
        {"kind": "questionnaire", "version": "2026-11"},
        Permission.EDITION_PROPOSE,
    ),
    "publishing:put_in_use": ({}, Permission.EDITION_PUBLISH),
    "publishing:withdraw": ({}, Permission.EDITION_PROPOSE),
}


def expected(page: Page, role: str, method: str) -> str:
    """Return in one word the response that the policy requires."""
    policy = page.required
    if role == "anonymous" and policy.kind != "public":
        return "sign in"
    if method not in policy.accepts:
        return "method"
    finer = page.name in FINER and method == "POST"
    if policy.kind in ("public", "person"):
        return "refused" if finer else "in"
    held = Role(role)
    if (policy.kind == "staff") != (held not in BUSINESS):
        return "hidden"
    if policy.permission and Permission(policy.permission) not in GRANTS[held]:
        return "refused"
    return "refused" if finer and FINER[page.name][1] not in GRANTS[held] else "in"


def seen(response) -> str:
    """Return the response in one word."""
    if response.status_code == 405:
        return "method"
    if response.status_code == 404:
        return "hidden"
    if response.headers.get("X-Refusal") == "signed_out":
        return "sign in"
    if response.status_code == 403:
        return "refused"
    if response.status_code == 302 and response.url.startswith("/sign-in/?next="):
        return "sign in"
    return "in" if response.status_code < 500 else f"broken {response.status_code}"


def cells(roles: Sequence[str]) -> Iterator[tuple[Page, str, str]]:
    """Yield pages, roles and methods to try: in `make prove` every combination, else a sample.

    The sample tries each page with one role for each distinct outcome, rotating the roles from
    page to page. One role also tries methods that the page may not accept. Every role tries the
    first page of each permission, and the pages in `FINER`.
    """
    known: set[tuple[str, str]] = set()
    for number, page in enumerate(PAGES):
        turned = deque(roles)
        turned.rotate(-number)
        unlike = {tuple(expected(page, role, one) for one in METHODS): role for role in turned}
        policy = page.required
        is_first = (policy.kind, policy.permission) not in known or page.name in FINER
        known.add((policy.kind, policy.permission))
        for turn, role in enumerate(turned):
            for method in METHODS:
                if (
                    is_full()
                    or (role in unlike.values() and method in policy.accepts)
                    or (is_first and method == policy.methods[-1])
                    or (turn == 0 and method in ("GET", "POST"))
                ):
                    yield page, role, method


@proof("R2", "role matrix")
def test_every_cell_is_as_the_table_says(proven: Proven, world, ask, client_of):
    clients = {role: client_of(person) for role, person in world.people.items()}
    clients["anonymous"] = client_of(None)
    wrong, count = [], 0
    for page, role, method in cells([*clients]):
        count += 1
        form = urlencode(FINER[page.name][0]) if page.name in FINER else ""
        path, kind = page.at(world.values), "application/x-www-form-urlencoded"
        found = seen(ask(clients[role], method, path, data=form, content_type=kind))
        says = expected(page, role, method)
        # An allowed page may still have nothing to show in this world.
        nothing_there = says == "in" and found == "hidden" and page.name in EMPTY_HERE
        if found != says and not nothing_there:
            wrong.append((page.name, role, method, says, found))

    unlisted = [page.name for page in PAGES if page.policy is None]
    figure = f"{count - len(wrong):,} of {count:,} cells, {len(unlisted)} unlisted"
    met = not wrong and not unlisted and count > 3 * len(PAGES)
    proven.reached(figure, met=met, wrong=[*wrong, *unlisted])


def test_no_session_lapses_while_a_matrix_takes_long(world, ask, client_of):
    client = client_of(world.people["owner"])
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=31)):
        assert seen(ask(client, "GET", reverse("accounts:security"))) == "in"


# Allowed pages that answer 404 to everyone, because their object does not exist in this world.
EMPTY_HERE = {
    "shell:mail_message",
    "accounts:end_one",
    "accounts:remove_passkey",
    "accounts:provider",
    "accounts:provider_back",
    # No company's colour and logo are set, and no payment is late.
    "shell:brand_sheet",
    "shell:brand_logo",
    "accounts:change_view",
    # No provider is connected.
    "api:provider_event",
    "api:ask_again",
    "api:check_payment",
    "api:close_break",
    "api:accept_payment",
    "api:return_payment",
}
