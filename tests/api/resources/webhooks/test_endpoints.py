"""Webhook endpoints through the API (2.5), and attempts to abuse them."""

import json
import socket
from typing import Any

import pytest
from django.db import connection

from api.models import IdempotencyRecord
from apikeys.lifecycle import Environment
from apikeys.webhooks import endpoints, fan_out, verification
from apikeys.webhooks.lifecycle import PausedReason
from apikeys.webhooks.models import (
    WebhookEndpoint,
)
from console.accounts.actors import SYSTEM
from console.events import public_kinds
from tests import databases
from tests.api.asking import Client, pointed, without_request
from tests.api.calling import Caller
from tests.api.resources.webhooks.calls import (
    ADDED,
    CREATE,
    EXAMPLE,
    PATH,
    SPECIFIED,
    change,
    create,
)
from tests.apikeys import world
from tests.waiting import at_once


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


def test_a_change_knows_two_members_and_needs_one(client, made):
    body: Any
    for body in [
        {},
        {"url": "https://b.example.com/"},
        {"status": "gone"},
        {"description": "x"},
        {"enabled_events": []},
    ]:
        pointed(change(client, made, **body))

        kept = without_request(client.read(f"{PATH}/{made['id']}"))
        assert kept == {name: made[name] for name in SPECIFIED | ADDED}


def test_kinds_that_cannot_be_selected_are_refused(client, made):
    for wanted in [
        [],
        ["transfer.completed"] * 2,
        ["*", "transfer.completed"],
        ["nobody.knows"],
        ["transfer.completed", 1],
        "transfer.completed",
        None,
        {"*": 1},
        ["x.y"] * 10_000,
        ["webhook_endpoint.ping"],
    ]:
        for reply in (
            create(client, enabled_events=wanted),
            change(client, made, enabled_events=wanted),
        ):
            assert {one.split("/")[1] for one in pointed(reply)} == {"enabled_events"}
        assert WebhookEndpoint.objects.count() == 1


def test_every_kind_can_be_selected_those_that_are_not_sent_yet_too(client):
    kinds = sorted(public_kinds.names())

    assert create(client, enabled_events=kinds).json["enabled_events"] == kinds
    assert {"checkout_session.paid", "transfer.completed", "deposit.settled"} <= set(kinds)


def test_an_address_that_cannot_be_is_refused_with_its_pointer(client):
    for url in [
        "http://hooks.example.com/",
        "https://127.0.0.1/",
        "https://key:secret@hooks.example.com/",
        "https://hooks.example.com:22/",
        "https://[::ffff:10.0.0.1]/",
        "https://localhost/",
        "hello",
    ]:
        assert pointed(create(client, url=url)) == ["/url"]
        assert not WebhookEndpoint.objects.exists()


def test_a_description_whose_joiner_joins_nothing_once_composed_is_refused(client):
    description = "\u1ecd\u0323\u094d\u200d\u093c\u0915"
    assert pointed(create(client, description=description)) == ["/description"]
    assert not WebhookEndpoint.objects.exists()


@pytest.mark.parametrize("key", ["", "endpoint-0001"])
def test_a_name_that_leads_inside_is_refused_before_anything_is_changed(client, monkeypatch, key):
    inside: list[bool] = []

    def found(*_, **__):
        inside.append(connection.in_atomic_block)
        return [(2, 1, 6, "", ("10.0.0.1", 443))]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    more = {"HTTP_IDEMPOTENCY_KEY": key} if key else {}
    reply = client.api.post(f"/sandbox/v1{PATH}", client.plain, EXAMPLE, **more)

    assert pointed(reply) == ["/url"]
    assert inside == [False]
    assert not WebhookEndpoint.objects.exists()


def test_the_same_address_is_not_told_the_same_twice(client, made):
    again = {"url": made["url"]}

    assert pointed(create(client, **again)) == ["/url"]
    assert create(client, **again, enabled_events=["key.created"]).status == 201


def test_sixteen_endpoints_at_most_however_many_ask_at_once(client):
    asking = Client(Caller(), client.plain)
    bodies = [client.body_of(CREATE) for _ in range(20)]

    def ask(number):
        return asking.ask(CREATE, PATH, bodies[number], key=f"endpoint-{number:04}")

    replies = at_once(len(bodies), ask)

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
