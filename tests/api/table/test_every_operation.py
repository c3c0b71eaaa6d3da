"""Rules for every row of the operation table, regardless of resource and family."""

from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from api.operations import Operation
from api.payments.models import LedgerEntry
from api.v1.router import OPERATIONS
from apikeys.lifecycle import Environment
from console.catalogue.definitions import PRODUCTS
from console.events.models import Event
from tests.api.asking import BY_NAME, ROWS, Client, a_client, faults
from tests.api.calling import Caller
from tests.apikeys import world
from tests.databases import as_owner, go_past_triggers
from tests.proofs import Proven, proof
from tests.waiting import at_once

# Fields that identify the call in an error.
OF_THE_CALL = ("request_id", "instance")
NOWHERE = "svo_01k0000000000000000000000"
NAMED = [row for row in OPERATIONS if "{id}" in row.path]
LISTS = [row for row in OPERATIONS if {"cursor", "limit"} <= set(row.query().fields)]
GROWING = [row for row in LISTS if ("POST", row.path) in ROWS]
# Fields with IDs. Objects belong to an environment; payments are found by reference.
NAMED_OBJECTS = {"beneficiary_id", "cardholder_id", "customer_id", "quote_id"}
IDS = {*NAMED_OBJECTS, "payment_reference"}
FINANCIAL = [row for row in OPERATIONS if row.financial]
# Operations that work in live without a provider, because only we store the data.
OURS = {
    "me", "usage", "customers", "sub_accounts", "beneficiaries", "merchant", "cardholders",
    "inventory", "checkout_sessions", "webhook_endpoints", "webhook_deliveries", "events",
    "webhook_verifications", "balances",
}  # fmt: skip


@pytest.fixture
def client(api: Caller) -> Client:
    return Client(api, a_client())


def said(reply: Any) -> dict[str, Any]:
    """Return an error without the fields that identify the call."""
    found = dict(reply.json)
    if "meta" in found:
        found["meta"] = found["meta"] | {"request_id": "", "timestamp": ""}
    return found | {name: "" for name in OF_THE_CALL if name in found}


def move_to_live(public_id: str) -> None:
    """Move a sandbox object into live, which no operation can do."""
    with as_owner() as owner:
        go_past_triggers(owner)
        for model in apps.get_models():
            if {"public_id", "environment"} <= {field.column for field in model._meta.fields}:
                table = model._meta.db_table
                words = f"UPDATE {table} SET environment = 'live' WHERE public_id = %s"
                owner.execute(words, [public_id])
        # Deliveries, verifications and replays belong to their endpoint's environment.
        for table in ("webhooks_webhookdelivery", "webhooks_endpointprobe", "webhooks_replayjob"):
            owner.execute(
                "UPDATE webhooks_webhookendpoint SET environment = 'live' WHERE id IN"
                f" (SELECT endpoint_id FROM {table} WHERE public_id = %s)",
                [public_id],
            )


# Forbidden characters in ids and texts ------------------------------------------------------------


def test_an_id_with_a_nul_byte_is_not_there(client):
    wrong = []
    for row in NAMED:
        for odd in ("\x00", "svo_\x00", f"{NOWHERE}\x00"):
            path = row.path.replace("{id}", odd)
            reply = client.ask(row, path, row.example.body)
            wrong += [(row.name, odd, reply.status)] if reply.status != 404 else []
    assert not wrong, wrong


@pytest.mark.parametrize(
    ("name", "sent", "status"),
    [
        ("cards.freeze", b'{"reason": "lost"}', 422),
        ("sub_accounts.activate", b'{"reason": "lost"}', 422),
        ("webhook_endpoints.delete", b'{"reason": "lost"}', 422),
        ("cards.freeze", b'{"reason":', 400),
        ("cards.freeze", b"{}", 200),
    ],
)
def test_fields_are_refused_where_no_body_is_taken(client, name, sent, status):
    row = BY_NAME[name]
    path = f"/sandbox/v1{client.path_of(row)}"

    reply = client.api.call(
        row.method, path, client.plain, body=sent, CONTENT_TYPE="application/json"
    )

    assert reply.status == status
    assert status != 422 or faults(reply) == [("/reason", "unknown_member")]


def test_a_value_that_no_database_takes_is_a_mistake(client):
    wrong: list[object] = []
    for row in OPERATIONS:
        path, sent = row.path.replace("{id}", NOWHERE), dict(row.example.body or {})
        asked = [(name, odd) for name in row.query().fields for odd in ("a%00b", "%ED%A0%80")]
        replies = {
            f"?{name}={odd}": client.api.get(f"/sandbox/v1{path}", client.plain, f"{name}={odd}")
            for name, odd in asked
        }
        for member, value in sent.items():
            for odd in ("a\x00b", "\ud800"):
                replies[f"{member} {odd!r}"] = client.ask(
                    row, path, sent | {member: with_text(value, odd)}
                )
        told = (400, 404, 422) if "{id}" in row.path else (400, 422)
        bad = {what: r.status for what, r in replies.items() if r.status not in told}
        wrong += [(row.name, bad)] if bad else []
    assert not wrong, wrong


def with_text(value: Any, text: str) -> Any:
    """Return a copy of a value with every leaf replaced by the text."""
    if isinstance(value, dict):
        return {name: with_text(one, text) for name, one in value.items()}
    if isinstance(value, list):
        return [with_text(one, text) for one in value]
    return text


# Other businesses --------------------------------------------------------------------------------


def test_anothers_object_is_not_there_and_an_own_one_of_live_is_elsewhere(api):
    other = Client(api, a_client())
    wrong: list[object] = []
    for row in NAMED:
        client = Client(api, a_client())
        path = client.path_of(row)
        own = path.split("/")[row.path.split("/").index("{id}")]
        body, theirs = (one.body_of(row) if row.body else None for one in (client, other))

        found = other.ask(row, path, theirs)
        nobodys = other.ask(row, path.replace(own, NOWHERE), theirs)
        move_to_live(own)
        elsewhere = client.ask(row, path, body)

        if (found.status, found.code) != (404, "NOT_FOUND") or said(found) != said(nobodys):
            wrong.append((row.name, said(found), said(nobodys)))
        if (elsewhere.status, elsewhere.code) != (403, "ENVIRONMENT_MISMATCH"):
            wrong.append((row.name, elsewhere.status, elsewhere.code))

    assert not wrong, "\n".join(map(str, wrong))


def test_an_unknown_id_in_a_body_is_pointed_to(api):
    wrong: list[object] = []
    for row in OPERATIONS:
        for member in (n for n in row.example.body or {} if n in IDS):
            client, other = Client(api, a_client()), Client(api, a_client())
            theirs = other.body_of(row)[member]
            body = client.body_of(row)
            found, nobodys = (
                client.ask(row, client.path_of(row), body | {member: unknown})
                for unknown in (theirs, "none")
            )
            faults = [(one["pointer"], one["code"]) for one in found.json.get("errors", [])]
            expected = (422, [(f"/{member}", "not_found")])
            if (found.status, faults) != expected or said(found) != said(nobodys):
                wrong.append((row.name, member, said(found), said(nobodys)))
            if member in NAMED_OBJECTS:
                move_to_live(body[member])
                reply = client.ask(row, client.path_of(row), body)
                pointers = [one["pointer"] for one in reply.json.get("errors", [])]
                if (reply.code, pointers) != ("ENVIRONMENT_MISMATCH", [f"/{member}"]):
                    wrong.append((row.name, member, reply.code, pointers))
    assert not wrong, "\n".join(map(str, wrong))


def test_live_without_a_provider_changes_nothing_and_lists_nothing(api):
    scopes = tuple(scope for product in PRODUCTS.values() for scope in product.scopes)
    grant = world.a_grant(environment=Environment.LIVE, products=tuple(PRODUCTS))
    live = Client(api, world.a_key(grant, scopes=scopes)[1], root="/v1")

    wrong = []
    for row in OPERATIONS:
        reply = live.ask(row, row.example_path, dict(row.example.body) if row.example.body else {})
        if row.path.startswith("/test-helpers/"):
            good = reply.code == "ENVIRONMENT_MISMATCH"
        elif row.changes and "NO_PROVIDER_ENABLED" in row.codes:
            good = (reply.status, reply.code) == (422, "NO_PROVIDER_ENABLED")
        elif row.method == "GET":
            is_empty = reply.status == 200 and reply.json.get("data", []) == []
            good = is_empty or reply.code == "NOT_FOUND" or row.name.partition(".")[0] in OURS
        else:
            good = row.name.partition(".")[0] in OURS and (
                reply.status == row.status or reply.code == "NOT_FOUND"
            )
        if not good:
            wrong.append((row.name, reply.status, reply.code if reply.status >= 400 else ""))

    assert not wrong, "\n".join(map(str, wrong))


# Lists -------------------------------------------------------------------------------------------


def test_pages_neither_skip_nor_repeat_while_rows_are_added(client):
    wrong = []
    for row in GROWING:
        made = [client.id_in(row.path) for _ in range(3)]
        page = client.read(row.path, "limit=1")
        seen = [one["id"] for one in page["data"]]
        while page["has_more"]:
            client.id_in(row.path)
            page = client.read(row.path, f"limit=1&cursor={page['next_cursor']}")
            seen += [one["id"] for one in page["data"]]
        if seen[:3] != made[::-1] or len(set(seen)) != len(seen):
            wrong.append((row.name, made, seen))

    assert not wrong, "\n".join(map(str, wrong))


def test_a_page_asks_as_often_for_many_rows_as_for_one(client):
    def counted(row: Operation) -> int:
        with CaptureQueriesContext(connection) as asked:
            client.read(row.path, "limit=100")
        return len(asked)

    wrong = []
    for row in GROWING:
        client.id_in(row.path)
        with_one = counted(row)
        for _ in range(5):
            client.id_in(row.path)
        with_six = counted(row)
        if with_one != with_six:
            wrong.append((row.name, with_one, with_six))

    assert not wrong, "\n".join(map(str, wrong))


# Money -------------------------------------------------------------------------------------------


def effects() -> tuple[int, int]:
    return LedgerEntry.objects.count(), Event.objects.count()


@proof("R6", "every financial operation at once", small=6, full=32, asked="each 1 effect, 0 5xx")
def test_identical_calls_at_once_have_one_effect(proven: Proven):
    wrong, posts = [], 0
    for row in FINANCIAL:
        once, many = (Client(Caller(), a_client()) for _ in range(2))
        # Create first what the example needs, for one or several calls.
        bodies = [one.body_of(row) for one in (once, many)]
        paths = [one.path_of(row) for one in (once, many)]
        before = effects()
        assert once.ask(row, paths[0], bodies[0]).status == row.status
        asked = tuple(now - then for now, then in zip(effects(), before, strict=True))
        before = effects()

        def post(_, many=many, row=row, path=paths[1], body=bodies[1]):
            return Client(Caller(), many.plain).ask(row, path, body, key="at-once-0001")

        replies = at_once(proven.size, post)
        posts += len(replies)
        grown = tuple(now - then for now, then in zip(effects(), before, strict=True))
        refused = {one.code for one in replies if one.status != row.status}
        answers = {str(said(one)) for one in replies if one.status == row.status}
        if len(answers) != 1 or grown != asked or refused - {"IDEMPOTENT_REQUEST_IN_PROGRESS"}:
            wrong.append((row.name, len(answers), refused, grown, asked))
    figure = f"{posts} posts on {len(FINANCIAL)} operations, {len(wrong)} with another effect"
    proven.reached(figure, met=not wrong and bool(FINANCIAL), wrong=wrong)
