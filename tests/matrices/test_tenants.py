"""R1: a person from another business gets 404 for every address and method."""

import re

from tests.matrices.pages import PAGES
from tests.proofs import Proven, is_full, proof

SCOPED = [page for page in PAGES if page.required.kind in ("business", "staff")]
METHODS = ("GET", "POST", "PATCH", "DELETE")


def unlike(value):
    """Return an unused ID of the same form."""
    return re.sub(r"_.*", "_" + "0" * 26, value) if isinstance(value, str) else 0


def same(text: str) -> str:
    """Return the page's text without the parts that differ between requests."""
    return re.sub(
        r"(biz|app|doc|req|chk|key|inv|usr|pak|psk|whe|whd|glr|dom)_\w+"
        r"|AGP-\S+?(?=[/\"<])|csrf\S+ value=\S+",
        "*",
        text,
    )


def headers_of(found):
    """Return the response's headers without the request ID, cookies and length."""
    own = ("X-Request-Id", "Set-Cookie", "Content-Length")
    return {name: value for name, value in found.headers.items() if name not in own}


@proof("R1", "tenant matrix")
def test_another_tenant_finds_nothing(proven: Proven, world, ask, client_of):
    client, wrong, changed = client_of(world.stranger), [], 0
    # An unused value for every ID in an address.
    nobodys = {name: unlike(value) for name, value in world.values.items() if name.endswith("_id")}
    for page in SCOPED:
        # Methods that a page does not accept are refused for everyone: see `test_roles.py`.
        for method in METHODS if is_full() else page.required.methods:
            unknown = ask(client, method, page.at(world.values | nobodys))
            found = ask(client, method, page.at(world.values))
            changed += found.rows_changed
            if found.status_code not in ((404,) if method in page.required.accepts else (404, 405)):
                wrong.append((page.name, method, found.status_code))
            elif (
                found.status_code == 404
                and (same(found.text), headers_of(found))
                != (same(unknown.text), headers_of(unknown))
                and unknown.status_code == 404
            ):
                wrong.append((page.name, method, "says more than for an unknown id"))

    hidden = len(SCOPED) - len({name for name, *_ in wrong})
    figure = f"{hidden} of {len(SCOPED)} URLs, {changed} rows changed"
    proven.reached(figure, met=hidden == len(SCOPED) > 0 and not changed, wrong=wrong)


def test_an_object_of_another_business_is_not_found_under_ones_own(world, ask, client_of):
    """Addresses that combine one's own business with another business's object."""
    client, wrong = client_of(world.people["owner"]), []
    objects = {
        "document_id", "key_id", "invitation_id", "person_id", "number", "session_id", "passkey_id",
        "endpoint_id", "delivery_id", "row_id", "go_live_request_id",
        "domain_id",
    }  # fmt: skip
    for page in PAGES:
        for name in objects & set(page.parameters):
            if page.required.kind == "public":
                continue
            mixed = world.values | {name: world.others[name]}
            method = "GET" if "GET" in page.required.methods else "POST"
            found = ask(client, method, page.at(mixed))
            if found.status_code != 404 or found.rows_changed:
                wrong.append((page.name, name, found.status_code))

    assert not wrong, "\n".join(map(str, wrong))
