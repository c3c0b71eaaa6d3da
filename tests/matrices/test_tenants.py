"""R1: another business's person finds nothing, whatever the address and the method."""

import re

from tests.matrices.pages import PAGES
from tests.matrices.world import client_of
from tests.proofs import Proven, proof

SCOPED = [page for page in PAGES if page.required.kind in ("business", "staff")]
UNKNOWN = "biz_00000000000000000000000000"
METHODS = ("GET", "POST", "PATCH", "DELETE")


def same(text: str) -> str:
    """What a page says, without what differs between any two requests."""
    return re.sub(
        r"(biz|app|doc|req|chk|key|inv|usr|pak)_\w+|AGP-\S+?(?=[/\"<])|csrf\S+ value=\S+", "*", text
    )


@proof("R1", "tenant matrix")
def test_another_tenant_finds_nothing(proven: Proven, world, ask):
    client, wrong, changed = client_of(world.stranger), [], 0
    for page in SCOPED:
        unknown = ask(client, "GET", page.at(world.values | {"business_id": UNKNOWN}))
        for method in METHODS:
            found = ask(client, method, page.at(world.values))
            listed = method in page.required.accepts
            changed += found.rows_changed
            if found.status_code != (404 if listed else 405) and not (
                not listed and found.status_code == 404
            ):
                wrong.append((page.name, method, found.status_code))
            elif (
                found.status_code == 404
                and same(found.text) != same(unknown.text)
                and unknown.status_code == 404
            ):
                wrong.append((page.name, method, "says more than for an unknown id"))

    assert not wrong, "\n".join(map(str, wrong))
    proven.reached(f"{len(SCOPED)} of {len(SCOPED)} URLs, {changed} rows changed", met=not changed)


def test_an_object_of_another_business_is_not_found_under_ones_own(world, ask):
    """Our own business in the address, their object behind it."""
    client, wrong = client_of(world.people["owner"]), []
    objects = {"document_id", "key_id", "invitation_id", "person_id", "number", "session_id"}
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


def test_every_staff_page_is_hidden_from_the_people_of_a_business(world, ask):
    for page in PAGES:
        if page.required.kind == "staff":
            method = page.required.methods[0]
            assert (
                ask(client_of(world.people["owner"]), method, page.at(world.values)).status_code
                == 404
            )
