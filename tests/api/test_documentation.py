"""The documentation pages: complete, public, and about the reader's own key."""

import json
import re
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from django.test import Client
from django.urls import reverse

from api.operations import Operation
from api.problems import CODES
from api.providers.simulated import MAGIC_VALUES
from api.reference import documented_operations
from api.reference.members import marked
from api.v1.router import OPERATIONS
from apikeys.keys import keys
from apikeys.models import RequestLog
from console.accounts.roles import Role
from console.core import clock
from console.events import public_kinds
from tests import factories
from tests.api.test_contract import wrong_members
from tests.apikeys import world


@cache
def public(address: str) -> str:
    """Return a page as an anonymous visitor sees it, cached."""
    answer = Client().get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def page_of(row: Operation) -> str:
    """Return the text about one operation on a product's page."""
    return part_of(public(reverse("api:product", args=[row.product])), row)


def part_of(page: str, row: Operation) -> str:
    """Return the part of a page that is about one operation."""
    anchor = row.name.replace(".", "-")
    return page.partition(f'<section class="card operation" id="{anchor}"')[2].partition(
        "</section>"
    )[0]


# Every row ----------------------------------------------------------------------------------


def test_every_row_is_described():
    start = public(reverse("api:docs"))
    for row in OPERATIONS:
        described = page_of(row)
        for word in (f"{row.method} {row.path}", row.scope, row.summary, f"Response {row.status}"):
            assert word in described, row.name
        assert ("#idempotency" in described) == bool(row.financial), row.name
        assert ("Sandbox only" in described) == row.path.startswith("/test-helpers/"), row.name
        answer: Any = row.answer()
        taken = [*row.query().fields, *(row.body().fields if row.body else ())]
        for name in [*taken, *answer.fields]:
            assert f"<dt><code>{name}</code>" in described, row.name
        for title in ("curl", "Python", "JavaScript"):
            assert f"<summary>{title}</summary>" in described, row.name
        address = reverse("api:product", args=[row.product])
        assert f"{address}#{row.name.replace('.', '-')}" in start


def test_an_event_is_described_without_the_fields_of_one_type():
    rows = {row.name: row for row in OPERATIONS}
    (read, listed) = (
        {one.name: one for one in documented_operations.DocumentedOperation(rows[name]).answer}
        for name in ("events.read", "events.list")
    )
    assert {"id", "type", "sequence", "data", "request_id"} < read.keys()
    assert (read["type"].kind, read["data"].kind) == ("text", "object")
    assert read["type"].required
    assert not read["sequence"].required
    assert not [name for name in read if name.startswith("data.")]
    # The ID of the call is part of the response, not of its rows.
    assert {f"data[].{name}" for name in read.keys() - {"request_id"}} < listed.keys()
    assert "data[].request_id" not in listed


def test_every_code_of_a_row_leads_to_its_page():
    for row in OPERATIONS:
        linked = set(re.findall(r'href="(/docs/problems/[\w-]+)"', page_of(row)))
        codes = {reverse("api:problem", args=[CODES[name].slug]) for name in row.every_code}
        assert linked == codes, row.name


def test_every_member_is_explained():
    for row in OPERATIONS:
        described = documented_operations.DocumentedOperation(row)
        members = [*described.path_members, *described.query, *described.body, *described.answer]
        assert members, row.name
        assert [one.name for one in members if not one.about] == [], row.name


def test_every_example_fits_its_row():
    for row in OPERATIONS:
        example = row.example
        assert list(wrong_members(row.answer(), example.answer)) == [], row.name
        assert (example.body is not None) == (row.body is not None), row.name
        if row.body:
            assert row.body(data=dict(example.body or {})).is_valid(), row.name
        assert "{" not in row.example_path


# Events -------------------------------------------------------------------------------------


def test_the_catalogue_shows_every_kind_with_its_schema_and_a_sample(client):
    page = client.get(reverse("api:events")).content.decode()

    parts = page.split('<section class="card operation"')[1:]
    kinds = public_kinds.every()
    assert len(parts) == len(kinds)
    for kind, part in zip(kinds, parts, strict=True):
        assert f">{kind.name}</h2>" in part
        assert kind.summary in part
        for name, member in type(kind.sample).model_fields.items():
            assert f"<dt><code>{name}</code>" in part
            assert marked(member.description or "") in part
        assert f"&quot;type&quot;: &quot;{kind.name}&quot;" in part
        assert f"&quot;id&quot;: &quot;{kind.sample.model_dump()['id']}&quot;" in part


# Errors -------------------------------------------------------------------------------------


def test_the_type_of_a_problem_leads_to_its_page(api, client):
    problem = api.get("/v1/me").json

    assert problem["type"] == problem["doc"]
    page = client.get(urlsplit(problem["type"]).path)
    assert page.status_code == 200
    assert b"UNAUTHENTICATED" in page.content


def test_every_code_has_its_page():
    for code in CODES.values():
        page = public(reverse("api:problem", args=[code.slug]))
        assert code.name in page
        for row in OPERATIONS:
            assert (f">{row.method} {row.path}</a>" in page) == (code.name in row.every_code)


def test_the_list_has_every_code(client):
    page = client.get(reverse("api:problems")).content.decode()

    assert all(name in page for name in CODES)


def test_an_unknown_code_is_not_found(client):
    assert client.get("/docs/problems/nonsense").status_code == 404


def test_the_guide_names_the_release(client, settings):
    assert f"<code>{settings.VERSION}</code>" in client.get(reverse("api:docs")).content.decode()


# The sandbox --------------------------------------------------------------------------------


def test_every_magic_value_is_listed_with_what_comes_of_it(client):
    page = client.get(reverse("api:sandbox")).content.decode()

    rows = re.findall(r'<tr>\s*<th scope="row" class="mono">(\w+)</th>(.*?)</tr>', page, re.DOTALL)
    assert [member for member, _ in rows] == [one.member for one in MAGIC_VALUES]
    for magic, (_, row) in zip(MAGIC_VALUES, rows, strict=True):
        assert f">{magic.value}</td>" in row
        assert f"<code>{magic.effect}</code>" in row
        if code := CODES.get(magic.effect):
            assert reverse("api:problem", args=[code.slug]) in row
        assert str(marked(magic.words)) in row


# The reader ---------------------------------------------------------------------------------


def addresses():
    return [reverse("api:docs"), reverse("api:product", args=["payouts"])]


def test_who_is_not_signed_in_reads_a_placeholder(client):
    key, _ = world.a_key()
    for address in addresses():
        page = client.get(address).content.decode()
        assert "Bearer YOUR_KEY_ID:$API_SECRET" in page
        assert key.public_id not in page


def test_a_reader_with_a_key_finds_its_id_and_never_its_secret(client):
    key, plain = world.a_key()
    factories.signed_in(client, factories.a_member(key.business, Role.DEVELOPER))
    for address in addresses():
        page = client.get(address).content.decode()
        assert f"Bearer {key.public_id}:$API_SECRET" in page
        assert "YOUR_KEY_ID" not in page
        assert plain.partition(":")[2] not in page


def test_a_key_of_others_or_one_that_ended_is_not_shown(client):
    key, _ = world.a_key()
    ended, _ = world.a_key()
    keys.revoke(ended, reason="Replaced.", by=factories.owner_of(ended.business))
    factories.signed_in(client, factories.owner_of(ended.business))
    page = client.get(reverse("api:docs")).content.decode()

    assert key.public_id not in page
    assert ended.public_id not in page
    assert "YOUR_KEY_ID" in page


def test_it_asks_the_database_as_often_for_every_product(client, django_assert_max_num_queries):
    key, _ = world.a_key()
    factories.signed_in(client, factories.owner_of(key.business))
    with django_assert_max_num_queries(12):
        client.get(reverse("api:product", args=["balances"]))


# Links to it --------------------------------------------------------------------------------


def test_it_is_linked_where_users_look(client):
    key, _ = world.a_key()
    business = key.business
    docs = f'href="{reverse("api:docs")}"'
    assert docs in client.get("/").content.decode()
    factories.signed_in(client, factories.owner_of(business))
    for name in ("apikeys:keys", "api:log", "api:home"):
        main = client.get(reverse(name, args=[business.public_id])).content.decode()
        assert docs in main, name


def test_a_scope_says_what_it_opens(client):
    key, _ = world.a_key(scopes=("payouts:read", "webhooks:write"))
    business = key.business
    factories.signed_in(client, factories.owner_of(business))
    for address in (
        reverse("apikeys:new_key", args=[business.public_id]),
        reverse("apikeys:key", args=[business.public_id, key.public_id]),
    ):
        page = client.get(address).content.decode()
        scope = page.partition(">payouts:read</span>")[2].partition("</label>")[0]
        assert "GET /payouts, GET /payouts/{id}" in scope
        scope = page.partition(">webhooks:write</span>")[2].partition("</label>")[0]
        assert "POST /webhook-endpoints" in scope


def test_the_log_copies_the_documented_body(client):
    key, plain = world.a_key()
    call = RequestLog.objects.create(
        at=clock.now(), request_id="req_1", business=key.business, key_id=key.public_id,
        environment="sandbox", method="POST", path="/payouts", status=422, microseconds=1,
        code="VALIDATION_ERROR",
    )  # fmt: skip
    factories.signed_in(client, factories.owner_of(key.business))
    address = reverse("api:logged_call", args=[key.business.public_id, call.request_id])
    page = client.get(address).content.decode()

    row = next(one for one in OPERATIONS if one.name == "payouts.create")
    written = json.dumps(row.example.body, indent=2).replace('"', "&quot;")
    assert written in page
    assert f"Bearer {key.public_id}:$API_SECRET" in page
    assert plain.partition(":")[2] not in page
