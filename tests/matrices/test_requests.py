"""R8, R11, R13, R15: audit entries, headers, CSRF tokens and step-up, on every page."""

import json
import os
import re
import subprocess
import sys
from functools import cache
from urllib.parse import quote

from django.db import transaction
from django.http import QueryDict
from django.test import Client

from console.accounts import factors
from console.accounts.roles import Permission, holders
from console.audit.models import CountedAttempt, Entry
from tests import factories
from tests.browser_runs.who import who_may_open
from tests.matrices import world as building
from tests.matrices.pages import PAGES
from tests.proofs import Proven, proof

POSTS = [page for page in PAGES if "POST" in page.required.methods]
GETS = [page for page in PAGES if "GET" in page.required.methods]

# These sign the person out, so the request entry has no actor; the effect's entry names them.
SIGNING_OUT = {"accounts:sign_out", "accounts:end_all"}
SET_UP = "/account/authenticator/?next="


@proof("R8", "audit completeness")
def test_every_post_leaves_an_entry(proven: Proven, world):
    silent = []
    for page in POSTS:
        person = who_may_open(page, world)
        with transaction.atomic():
            before = Entry.objects.count()
            building.client_of(person).post(page.at(world.values), {"nonsense": "x"})
            counted = CountedAttempt.objects.filter(page=page.name, network="127.0.0.1").first()
            newest = Entry.objects.order_by("-pk")[0]
            written = Entry.objects.count() - before
            transaction.set_rollback(True)
        if person is None and counted and not written:
            # Anonymous requests that change nothing are only counted.
            if not counted.request_id:
                silent.append(page.name)
            continue
        body = json.loads(newest.body)["body"]
        complete = body["request"]["id"] and body["request"]["ip"] == "127.0.0.1"
        known = person is None or page.name in SIGNING_OUT or newest.actor_id == person.public_id
        as_whom = page.required.kind in ("public", "person") or body["actor"]["roles"]
        if not (complete and known and as_whom and body["subject"]["id"]):
            silent.append(page.name)

    told = len(POSTS) - len(silent)
    proven.reached(f"{told} of {len(POSTS)} POSTs", met=told == len(POSTS) > 0, wrong=silent)


PROGRAMS = [
    "onboarding:result_ready", "apikeys:report_exposed", "api:provider_event", "api:demo_receive",
]  # fmt: skip


@proof("R13", "CSRF")
def test_every_post_needs_a_token_and_our_own_origin(proven: Proven, world, ask):
    @cache
    def checked_client(person):
        client = Client(enforce_csrf_checks=True)
        if person:
            factories.signed_in(client, person)
        client.get("/sign-in/")
        return client

    wrong = []
    # Requests by programs have no session that a forged form could abuse.
    assert [page.name for page in POSTS if page.required.by_program] == PROGRAMS
    for page in (page for page in POSTS if not page.required.by_program):
        client, path = checked_client(who_may_open(page, world)), page.at(world.values)
        token = client.cookies["csrf"].value if "csrf" in client.cookies else "x" * 32
        for name, headers in {
            "without a token": {},
            "from elsewhere": {"Origin": "https://evil.example", "X-CSRFToken": token},
        }.items():
            found = ask(client, "POST", path, headers=headers)
            if found.status_code != 403 or found.rows_changed:
                wrong.append((page.name, name, found.status_code))

    asked = len(POSTS) - len(PROGRAMS)
    refusing = asked - len({name for name, *_ in wrong})
    figure = f"{refusing} of {asked} unsafe URLs refuse"
    proven.reached(figure, met=refusing == asked > 0, wrong=wrong)


# Listed here too, so a page that loses its step-up fails the test.
SENSITIVE = {
    "accounts:authenticator", "accounts:begin_authenticator", "accounts:recovery_codes",
    "accounts:change_email", "accounts:add_passkey", "accounts:remove_passkey",
    "accounts:passkey_creation_options",
    "accounts:invite", "accounts:member", "accounts:remove",
    "agreements:send_back", "agreements:propose_company",
    "onboarding:decide_authority", "onboarding:clear",
    "onboarding:return", "onboarding:hold", "onboarding:release",
    "onboarding:ask",
    "onboarding:decline", "onboarding:decide_check",
    "apikeys:set_module", "apikeys:withdraw_product",
    "onboarding:waive_check", "onboarding:decide_waiver", "onboarding:decide_match",
    "apikeys:new_key", "apikeys:suspend", "apikeys:restore",
    "publishing:propose", "publishing:put_in_use", "publishing:withdraw", "restrictions:change",
    "apikeys:narrow_key", "apikeys:rotate_key", "apikeys:end_former_secret",
    "apikeys:extend_former_secret", "apikeys:enable_key",
    "apikeys:edit_networks", "apikeys:edit_key_networks", "apikeys:ask_network",
    "apikeys:decide_network", "apikeys:signing",
    "apikeys:suspend_business", "apikeys:restore_business", "apikeys:close_business",
    "api:check_payment", "api:currency",
    "apikeys:new_endpoint", "apikeys:move_endpoint", "apikeys:rotate_secret",
    "apikeys:end_overlap", "apikeys:stop_endpoint",
    "apikeys:ask_live", "apikeys:confirm_live", "apikeys:propose_live", "apikeys:decide_live",
}  # fmt: skip


def unproven(person):
    """Return clients with an insufficient identity confirmation: too old, or of the wrong kind."""
    found = {"long ago": factories.long_ago(building.client_of(person))}
    if factors.has_second_factor(person):
        found["by password"] = factories.just_now(building.client_of(person), by="password")
    return found


@proof("R15", "step-up")
def test_every_sensitive_page_asks_again(proven: Proven, world, ask):
    sensitive = [page for page in PAGES if page.required.step_up]
    wrong: list[tuple[object, ...]] = []
    changed, sessions_of = 0, cache(unproven)
    for page in sensitive:
        for how, client in sessions_of(who_may_open(page, world)).items():
            for method in page.required.methods:
                found = ask(client, method, page.at(world.values))
                changed += found.rows_changed
                asked = found.status_code == 302 and found.url.startswith("/confirm/?next=")
                if not asked or found.rows_changed:
                    wrong.append((page.name, method, how, found.status_code))

    asking = {page.name for page in sensitive} - {name for name, *_ in wrong}
    figure = f"{len(asking)} of {len(SENSITIVE)} ask again, {changed} rows changed"
    wrong += [(name, "declared otherwise") for name in SENSITIVE ^ {p.name for p in sensitive}]
    proven.reached(figure, met=not wrong and not changed, wrong=wrong)


# Pages that bind the business or give somebody access. Everything else must work without an
# authenticator.
BINDING = {
    "accounts:invite", "accounts:member", "accounts:remove", "accounts:withdraw",
    "onboarding:submit", "onboarding:invite_signatory", "onboarding:withdraw",
    "agreements:sign", "agreements:confirm_name",
    "apikeys:new_key", "apikeys:stored", "apikeys:rename_key", "apikeys:narrow_key",
    "apikeys:rotate_key", "apikeys:end_former_secret", "apikeys:extend_former_secret",
    "apikeys:enable_key", "apikeys:edit_networks", "apikeys:edit_key_networks",
    "apikeys:ask_network", "apikeys:signing",
    "apikeys:new_endpoint", "apikeys:edit_endpoint", "apikeys:move_endpoint",
    "apikeys:pause_endpoint", "apikeys:resume_endpoint", "apikeys:rotate_secret",
    "apikeys:end_overlap", "apikeys:verify_endpoint", "apikeys:ping_endpoint",
    "apikeys:remove_endpoint", "apikeys:replay", "apikeys:cancel_replay", "apikeys:resend",
    "apikeys:ask_live", "apikeys:withdraw_live", "apikeys:confirm_live",
    "api:add_domain", "api:check_domain", "api:renew_domain", "api:remove_domain",
    "api:allow_localhost", "api:set_logo", "api:remove_logo",
    "api:accept_payment", "api:return_payment",
}  # fmt: skip


@proof("R15", "second factor")
def test_whatever_binds_takes_a_second_factor(proven: Proven, world, ask):
    @cache
    def without_an_authenticator(role):
        return factories.signed_in(Client(), factories.a_member(world.ours, role), by="password")

    asking, changed = set(), 0
    for page in (page for page in PAGES if page.required.kind == "business"):
        client = without_an_authenticator(holders(Permission(page.required.permission))[0])
        found = [ask(client, method, page.at(world.values)) for method in page.required.methods]
        if all(one.headers.get("Location", "").startswith(SET_UP) for one in found):
            asking.add(page.name)
            changed += sum(one.rows_changed for one in found)

    figure = f"{len(asking)} of {len(BINDING)} ask for it, {changed} rows changed"
    proven.reached(figure, met=asking == BINDING and not changed, wrong=sorted(asking ^ BINDING))


HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
INLINE = re.compile(
    r"<style|<script(?![^>]*\bsrc=)|\son[a-z]+=\"|\sstyle=\"|javascript:", re.IGNORECASE
)
ELSEWHERE = ["/nowhere/", "/b/nowhere/", "/static/css/console.css", "/static/nowhere.css", "/%00/"]


@proof("R11", "headers, cookies and CSP")
def test_every_answer_carries_its_headers_and_reading_changes_nothing(
    proven: Proven, world, ask, client_of
):
    wrong: list[tuple[object, ...]] = []
    paths = [(page.at(world.values), who_may_open(page, world)) for page in GETS]
    paths += [(path, None) for path in ELSEWHERE]
    paths += [(page.at(world.values), None) for page in POSTS]
    for path, person in paths:
        found = ask(client_of(person), "GET", path)
        wrong += [(path, "rows changed")] if found.rows_changed else []
        wrong += [
            (path, name) for name, value in HEADERS.items() if found.headers.get(name) != value
        ]
        policy = found.headers.get("Content-Security-Policy", "")
        if "default-src 'none'" not in policy or "unsafe-" in policy:
            wrong.append((path, "policy", policy))
        if "text/html" in found.headers.get("Content-Type", ""):
            wrong += [(path, "inline", inline) for inline in INLINE.findall(found.text)]
        cache = found.headers.get("Cache-Control", "")
        # What is addressed by its hash is cached by the browser alone.
        if person and "no-store" not in cache and "private" not in cache:
            wrong.append((path, "cache", cache))
        for cookie in found.cookies.values():
            if cookie.key != "theme" and not (cookie["httponly"] and cookie["samesite"] == "Lax"):
                wrong.append((path, "cookie", cookie.OutputString()))

    good = len(paths) - len({path for path, _ in paths} & {path for path, *_ in wrong})
    proven.reached(
        f"{good} of {len(paths)} URLs", met=good == len(paths) and not wrong, wrong=wrong
    )


def test_cookies_are_of_the_host_alone_where_there_is_https(settings):
    """Settings are read once at start, so a separate process reads them with HTTPS on."""
    code = (
        "import django; django.setup(); from django.conf import settings as s;"
        "print(s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME, s.SESSION_COOKIE_SECURE,"
        " s.CSRF_COOKIE_SECURE, s.SECURE_HSTS_SECONDS, s.SECURE_SSL_REDIRECT)"
    )
    said = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "HTTPS": "1"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said.split() == ["__Host-session", "__Host-csrf", "True", "True", "63072000", "True"]


def test_a_nul_byte_in_an_address_is_not_there(world, ask, client_of):
    wrong = []
    for page in (page for page in PAGES if page.parameters):
        client, path = client_of(who_may_open(page, world)), page.at(world.values)
        client.raise_request_exception = False
        special = world.values.get(page.name, {})
        for name in page.parameters:
            value = quote(str(special.get(name, world.values.get(name))), safe=":@")
            for nul in (path.replace(value, "%00"), path.replace(value, f"{value}%00")):
                status = ask(client, page.required.methods[0], nul).status_code
                wrong += [(page.name, nul, status)] if status != 404 or nul == path else []
    assert not wrong, wrong


# Query parameters that pages read: see the forms and `request.GET`.
ASKED = (
    "add", "after", "as", "back", "by", "check", "code", "cursor", "environment", "id",
    "invitation", "limit", "next", "pack", "page", "part", "passkey", "preset", "q", "role",
    "sha256", "show", "stage", "to",
)  # fmt: skip


def test_no_parameter_of_an_address_breaks_a_page(world, ask, client_of, monkeypatch):
    read = set()

    class Heard(QueryDict):
        def getlist(self, key, default=None):
            read.add(key)
            return super().getlist(key, default)

        def __getitem__(self, key):
            read.add(key)
            return super().__getitem__(key)

    def breaking(client, path, queries):
        asked = [f"{path}?{query}" for query in queries]
        return [one for one in asked if ask(client, "GET", one).status_code >= 500]

    monkeypatch.setattr("django.core.handlers.wsgi.QueryDict", Heard)
    together = ["&".join(f"{name}={odd}" for name in ASKED) for odd in ("a%00b", "%ED%A0%80")]
    # Sent alone, because beside other invalid parameters these would not be looked up.
    alone = {"id": "a%00b"} | dict.fromkeys(("pack", "after", "add", "cursor"), "%00")
    broken = []
    for page in GETS:
        read.clear()
        client, path = client_of(who_may_open(page, world)), page.at(world.values)
        client.raise_request_exception = False
        broken += breaking(client, path, together)
        broken += breaking(client, path, [f"{name}={alone[name]}" for name in alone.keys() & read])
    assert not broken, broken
