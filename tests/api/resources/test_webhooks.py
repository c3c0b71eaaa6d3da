"""Webhook endpoints, deliveries and events through the API (2.5), and attempts to abuse them."""

import json
import socket
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.db import connection

from api.gateway.models import IdempotencyRecord
from apikeys.lifecycle import Environment
from apikeys.webhooks import endpoints, fan_out, verification
from apikeys.webhooks.lifecycle import PausedReason
from apikeys.webhooks.models import (
    PublicEvent,
    QueuedDelivery,
    WebhookDelivery,
    WebhookEndpoint,
)
from console.accounts.actors import SYSTEM
from console.core import clock
from console.events import public_kinds
from tests import databases
from tests.api.asking import BY_NAME, EXAMPLES, Client, a_client
from tests.api.calling import Caller
from tests.apikeys import world

PATH = "/webhook-endpoints"
CREATE = BY_NAME["webhook_endpoints.create"]
EXAMPLE = EXAMPLES["webhook_endpoints.create"]
SPECIFIED = {
    "id", "object", "url", "description", "environment", "enabled_events", "status",
    "consecutive_failures", "last_success_at", "last_failure_at", "last_error", "created_at",
}  # fmt: skip
ADDED = {
    "api_version", "verification", "paused_reason", "breaker", "previous_secret_expires_at",
    "pending_deliveries",
}  # fmt: skip


@pytest.fixture
def client(api):
    return Client(api, a_client())


@pytest.fixture
def made(client):
    return create(client).json


def create(client, *, key="", **changes):
    return client.ask(CREATE, PATH, client.body_of(CREATE) | changes, key=key)


def change(client, endpoint, **changes):
    return client.do("webhook_endpoints.change", endpoint["id"], changes)


def happen(client, count=1):
    """Let virtual accounts become active: each is told once."""
    for _ in range(count):
        client.do("virtual_accounts.issue", client.id_in("/virtual-accounts"))


def without_request(body):
    return {name: value for name, value in body.items() if name != "request_id"}


def pointers(reply):
    assert (reply.status, reply.code) == (422, "VALIDATION_ERROR"), reply.body
    return [fault["pointer"] for fault in reply.json.get("errors", [])]


# Endpoints ---------------------------------------------------------------------------------------


def test_an_endpoint_has_the_members_of_the_specification_and_its_secret_once(client, made):
    assert made.keys() == SPECIFIED | ADDED | {"signing_secret", "request_id"}
    assert made["signing_secret"].startswith("whsec_")
    assert (made["environment"], made["status"], made["last_error"]) == ("sandbox", "active", None)
    kept = {name: made[name] for name in SPECIFIED | ADDED}
    assert without_request(client.read(f"{PATH}/{made['id']}")) == kept
    assert client.read(PATH)["data"] == [kept]
    assert without_request(change(client, made, status="active").json) == kept


def test_a_secret_is_in_no_other_answer_and_nowhere_in_clear(client):
    secrets = [create(client, key="endpoint-0001").json["signing_secret"]]
    own = client.read(PATH)["data"][0]["id"]
    secrets.append(client.do("webhook_endpoints.rotate_secret", own).json["signing_secret"])
    client.do("webhook_endpoints.ping", own)

    said = [
        client.read(PATH),
        client.read(f"{PATH}/{own}"),
        change(client, {"id": own}, status="paused").json,
    ]
    assert not [one for one in secrets if one in json.dumps(said)]
    with databases.as_owner() as owner:
        for table in databases.tables():
            rows = owner.execute(f'SELECT t::text FROM "{table}" AS t').fetchall()
            held = " ".join(row for (row,) in rows)
            for one in secrets:
                assert one not in held, table
                assert one.encode().hex() not in held, table


def test_the_same_call_is_answered_with_the_same_secret_which_is_kept_sealed(client):
    body = client.body_of(CREATE)
    first, second = (client.ask(CREATE, PATH, body, key="endpoint-0001") for _ in range(2))

    assert second.headers["Idempotent-Replayed"] == "true"
    assert (second.status, without_request(second.json)) == (201, without_request(first.json))
    assert WebhookEndpoint.objects.count() == 1
    (kept,) = IdempotencyRecord.objects.filter(key="endpoint-0001")
    assert b"whsec_" not in bytes(kept.answer)


def test_a_rotation_keeps_the_former_secret_for_a_day_and_each_gives_another(client, made):
    rotated = [client.do("webhook_endpoints.rotate_secret", made["id"]).json for _ in range(3)]

    assert len({made["signing_secret"], *(one["signing_secret"] for one in rotated)}) == 4
    assert all(one["previous_secret_expires_at"] for one in rotated)


def test_an_endpoint_is_paused_and_let_on_and_once_is_enough(client, made):
    for status, reason in (("paused", "merchant"), ("paused", "merchant"), ("active", None)):
        reply = change(client, made, status=status)
        assert (reply.status, reply.json["status"]) == (200, status)
        assert reply.json["paused_reason"] == reason
    both = change(client, made, status="paused", enabled_events=["*"]).json
    assert (both["status"], both["enabled_events"]) == ("paused", ["*"])


def test_what_our_staff_stopped_is_not_let_on(client, made):
    endpoint = WebhookEndpoint.objects.get(public_id=made["id"])
    endpoints.pause(endpoint, reason=PausedReason.ABUSE, by=SYSTEM)

    reply = change(client, made, status="active", enabled_events=["*"])

    assert (reply.status, reply.code) == (422, "VALIDATION_ERROR")
    assert client.read(f"{PATH}/{made['id']}")["enabled_events"] == made["enabled_events"]


@pytest.mark.parametrize("body", [{}, {"url": "https://b.example.com/"}, {"status": "gone"},
                                  {"description": "x"}, {"enabled_events": []}])  # fmt: skip
def test_a_change_knows_two_members_and_needs_one(client, made, body):
    pointers(change(client, made, **body))

    kept = without_request(client.read(f"{PATH}/{made['id']}"))
    assert kept == {name: made[name] for name in SPECIFIED | ADDED}


@pytest.mark.parametrize(
    "wanted",
    [
        [], ["transfer.completed"] * 2, ["*", "transfer.completed"], ["nobody.knows"],
        ["transfer.completed", 1], "transfer.completed", None, {"*": 1}, ["x.y"] * 10_000,
        ["webhook_endpoint.ping"],
    ],
)  # fmt: skip
def test_kinds_that_cannot_be_selected_are_refused(client, made, wanted):
    for reply in (
        create(client, enabled_events=wanted),
        change(client, made, enabled_events=wanted),
    ):
        assert {one.split("/")[1] for one in pointers(reply)} == {"enabled_events"}
    assert WebhookEndpoint.objects.count() == 1


def test_every_kind_can_be_selected_those_that_are_not_sent_yet_too(client):
    kinds = sorted(public_kinds.names())

    assert create(client, enabled_events=kinds).json["enabled_events"] == kinds
    assert {"checkout_session.paid", "transfer.completed", "deposit.settled"} <= set(kinds)


@pytest.mark.parametrize(
    "url",
    ["http://hooks.example.com/", "https://127.0.0.1/", "https://key:secret@hooks.example.com/",
     "https://hooks.example.com:22/", "https://[::ffff:10.0.0.1]/", "https://localhost/", "hello"],
)  # fmt: skip
def test_an_address_that_cannot_be_is_refused_with_its_pointer(client, url):
    assert pointers(create(client, url=url)) == ["/url"]
    assert not WebhookEndpoint.objects.exists()


@pytest.mark.parametrize("key", ["", "endpoint-0001"])
def test_a_name_that_leads_inside_is_refused_before_anything_is_changed(client, monkeypatch, key):
    inside: list[bool] = []

    def found(*_, **__):
        inside.append(connection.in_atomic_block)
        return [(2, 1, 6, "", ("10.0.0.1", 443))]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    body = json.dumps(EXAMPLE).encode()
    more = {"HTTP_IDEMPOTENCY_KEY": key} if key else {}
    reply = client.api.call(
        "POST",
        f"/sandbox/v1{PATH}",
        client.plain,
        body=body,
        CONTENT_TYPE="application/json",
        **more,
    )

    assert pointers(reply) == ["/url"]
    assert inside == [False]
    assert not WebhookEndpoint.objects.exists()


def test_the_same_address_is_not_told_the_same_twice(client, made):
    again = {"url": made["url"]}

    assert pointers(create(client, **again)) == ["/url"]
    assert create(client, **again, enabled_events=["key.created"]).status == 201


def test_sixteen_endpoints_at_most_however_many_ask_at_once(unlimited_gateway, client):
    callers = 20
    start = Barrier(callers)
    asking = Client(Caller(unlimited_gateway), client.plain)
    bodies = [client.body_of(CREATE) for _ in range(callers)]

    def ask(number):
        start.wait(60)
        reply = asking.ask(CREATE, PATH, bodies[number], key=f"endpoint-{number:04}")
        connection.close()
        unlimited_gateway.database.close()
        return reply

    with ThreadPoolExecutor(callers) as pool:
        replies = list(pool.map(ask, range(callers)))

    assert sorted(reply.status for reply in replies) == [201] * 16 + [422] * 4
    assert WebhookEndpoint.objects.count() == fan_out.MOST_ENDPOINTS == 16


def test_a_removed_endpoint_is_gone_and_its_address_free(client, made):
    client.do("webhook_endpoints.ping", made["id"])

    reply = client.do("webhook_endpoints.delete", made["id"])

    assert (reply.status, reply.body) == (204, b"")
    assert "Content-Type" not in reply.headers
    assert client.read(PATH)["data"] == []
    for name in ("read", "change", "delete", "rotate_secret", "verify", "ping", "deliveries"):
        assert client.do(f"webhook_endpoints.{name}", made["id"]).code == "NOT_FOUND"
    assert create(client, url=made["url"]).status == 201


def test_an_endpoint_is_verified_ten_times_a_day(client, made):
    endpoint = WebhookEndpoint.objects.get(public_id=made["id"])
    for _ in range(verification.MOST_A_DAY):
        reply = client.do("webhook_endpoints.verify", made["id"])
        assert (reply.status, reply.json["status"]) == (202, "running")
        (round_,) = endpoint.probes.filter(ended_at=None)
        verification.settle(round_, [], method="", by=SYSTEM)

    reply = client.do("webhook_endpoints.verify", made["id"])

    assert (reply.status, reply.code) == (429, "RATE_LIMITED")
    assert int(reply.headers["Retry-After"]) > 0
    shown = client.read(f"{PATH}/{made['id']}")["verification"]
    assert shown == {
        "status": "unverified", "verified_at": None, "method": None, "last_result": "failed",
    }  # fmt: skip


def test_live_has_endpoints_of_its_own_which_a_sandbox_key_does_not_reach(api, client, made):
    grant = world.a_grant(environment=Environment.LIVE, products=("webhooks",))
    scopes = ("webhooks:read", "webhooks:write")
    live = Client(api, world.a_key(grant, scopes=scopes)[1], root="/v1")
    own = create(live).json

    assert own["environment"] == "live"
    crossed = Client(api, live.plain)
    assert crossed.do("webhook_endpoints.read", own["id"]).code == "ENVIRONMENT_MISMATCH"
    assert live.do("webhook_endpoints.read", made["id"]).code == "NOT_FOUND"
    assert live.read(PATH)["data"][0]["id"] == own["id"]


# Deliveries --------------------------------------------------------------------------------------


def test_what_happens_is_listed_as_deliveries_with_their_exact_body(client):
    own = create(client, enabled_events=["virtual_account.active"]).json["id"]
    happen(client, 2)

    listed = client.read(f"{PATH}/{own}/deliveries")["data"]

    assert [one["event_type"] for one in listed] == ["virtual_account.active"] * 2
    assert {(one["status"], one["kind"], one["attempt_count"]) for one in listed} == {
        ("pending", "normal", 0)
    }
    read = client.read(f"/webhook-deliveries/{listed[0]['id']}")
    event = PublicEvent.objects.get(public_id=listed[0]["event_id"])
    assert read["request_body"].encode() == bytes(event.body)
    assert read["attempts"] == []
    assert without_request(client.read(f"/events/{event.public_id}")) == json.loads(
        bytes(event.body)
    )
    assert client.read(f"{PATH}/{own}")["pending_deliveries"] == 2


def test_deliveries_are_narrowed_by_status_kind_and_time(client):
    own = create(client, enabled_events=["virtual_account.active"]).json["id"]
    happen(client)
    client.do("webhook_endpoints.ping", own)
    later = clock.iso(clock.now() + timedelta(hours=1))

    def found(query):
        return len(client.read(f"{PATH}/{own}/deliveries", query)["data"])

    assert found("") == found("status=pending") == found("status=pending&status=delivered") == 2
    assert found("event=virtual_account.active") == found("event=webhook_endpoint.ping") == 1
    assert found("status=delivered") == found(f"since={later}") == 0
    assert found(f"until={later}") == 2
    assert found("limit=1") == 1
    refused = client.api.get(
        f"/sandbox/v1{PATH}/{own}/deliveries", client.plain, "status=lost&since=now"
    )
    assert set(pointers(refused)) == {"/status/0", "/since"}


def test_one_delivery_is_sent_again_byte_for_byte(client):
    own = client.id_in("/webhook-deliveries")

    again = client.do("webhook_deliveries.replay", own)

    assert (again.status, again.json["kind"]) == (202, "replay")
    bodies = [client.read(f"/webhook-deliveries/{one}") for one in (own, again.json["id"])]
    assert len({(one["event_id"], one["request_body"]) for one in bodies}) == 1


def test_a_range_is_counted_then_sent_again_once_at_a_time(client):
    own = create(client, enabled_events=["virtual_account.active"]).json["id"]
    happen(client, 2)

    def replay(**body):
        return client.do("webhook_endpoints.replay", own, body)

    counted = replay(dry_run=True)
    assert (counted.status, counted.json["count"], counted.json["id"]) == (200, 2, None)
    assert replay(dry_run=True, statuses=["delivered"]).json["count"] == 0
    assert replay(dry_run=True, events=["key.created"]).json["count"] == 0
    started = replay()
    assert (started.status, started.json["status"], started.json["count"]) == (202, "running", 2)
    assert (replay().status, replay().code) == (422, "VALIDATION_ERROR")
    assert pointers(replay(dry_run=True, since="2020-01-01T00:00:00Z")) == ["/since"]
    assert pointers(replay(since="2026-02-30T00:00:00Z")) == ["/since"]
    assert pointers(replay(dry_run=True, until="2020-01-01T00:00:00Z")) == ["/until"]


def test_a_paused_endpoint_gets_no_test_event(client, made):
    change(client, made, status="paused")

    assert client.do("webhook_endpoints.ping", made["id"]).code == "VALIDATION_ERROR"
    assert not QueuedDelivery.objects.exists()


# Events ------------------------------------------------------------------------------------------


def test_events_are_listed_as_they_are_delivered_and_test_events_are_not(client, made):
    happen(client)
    client.do("webhook_endpoints.ping", made["id"])

    def types(query=""):
        return [one["type"] for one in client.read("/events", query)["data"]]

    assert types()[0] == "virtual_account.active"
    assert "webhook_endpoint.ping" not in types()
    assert types("type=virtual_account.active") == ["virtual_account.active"]
    assert types("type=key.revoked") == []
    account = client.read("/virtual-accounts")["data"][0]["id"]
    assert types(f"resource={account}") == ["virtual_account.active"]
    assert types(f"since={clock.iso(clock.now() + timedelta(hours=1))}") == []
    body = client.read("/events")["data"][0]
    assert list(body) == [
        "id", "object", "type", "created_at", "environment", "api_version", "sequence", "data",
    ]  # fmt: skip


def test_what_an_endpoint_has_not_acknowledged_can_be_fetched(client):
    own = create(client, enabled_events=["virtual_account.active"]).json["id"]
    happen(client, 3)
    first, second, third = WebhookDelivery.objects.order_by("pk")

    def waiting(query=""):
        found = client.read("/events", f"undelivered_to={own}{query}")
        return [one["id"] for one in found["data"]]

    assert waiting() == [one.event_id for one in (third, second, first)]
    # What was sent again and arrived is acknowledged too.
    WebhookDelivery.objects.filter(pk=second.pk).update(status="delivered")
    again = client.do("webhook_deliveries.replay", first.public_id).json["id"]
    WebhookDelivery.objects.filter(public_id=again).update(status="delivered")
    assert waiting() == [third.event_id]
    assert waiting("&type=key.created") == []
    assert waiting("&limit=1") == [third.event_id]
    nobody = client.api.get("/sandbox/v1/events", client.plain, "undelivered_to=whe_none")
    assert nobody.code == "NOT_FOUND"


def test_lists_go_on_where_a_page_ended_whatever_they_are_narrowed_by(client):
    own = create(client, enabled_events=["virtual_account.active"]).json["id"]
    happen(client, 3)

    for path, query in (
        ("/events", "type=virtual_account.active"),
        ("/events", f"undelivered_to={own}"),
        (f"{PATH}/{own}/deliveries", "status=pending"),
    ):
        seen, cursor = [], ""
        while True:
            page = client.read(path, f"{query}&limit=1{cursor}")
            seen += [one["id"] for one in page["data"]]
            if not page["has_more"]:
                break
            cursor = f"&cursor={page['next_cursor']}"
        assert len(seen) == len(set(seen)) == 3, path
        other = client.api.get(f"/sandbox/v1{path}", client.plain, f"limit=1{cursor}")
        assert other.status == 400, "A cursor is bound to its filters."


def test_nothing_that_is_told_is_more_than_its_schema(client, made):
    happen(client)
    (row,) = PublicEvent.objects.filter(kind="virtual_account.active")
    (kind,) = [one for one in public_kinds.every() if one.name == row.kind]

    data = json.loads(bytes(row.body))["data"]

    assert type(kind.sample).model_validate(data).model_dump() == data
    assert fan_out.EVERY_KIND not in public_kinds.names()
