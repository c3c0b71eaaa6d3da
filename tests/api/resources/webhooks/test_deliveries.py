"""Deliveries and events through the API: read, filter and resend."""

import json
from datetime import timedelta

from apikeys.webhooks import fan_out
from apikeys.webhooks.models import (
    PublicEvent,
    QueuedDelivery,
    WebhookDelivery,
)
from console.core import clock
from console.events import public_kinds
from tests.api.asking import pointed, without_request
from tests.api.resources.webhooks.calls import (
    PATH,
    change,
    create,
    happen,
)


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
    assert set(pointed(refused)) == {"/status/0", "/since"}


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
    assert pointed(replay(dry_run=True, since="2020-01-01T00:00:00Z")) == ["/since"]
    assert pointed(replay(since="2026-02-30T00:00:00Z")) == ["/since"]
    assert pointed(replay(dry_run=True, until="2020-01-01T00:00:00Z")) == ["/until"]


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
    # Events whose resend arrived are acknowledged too.
    WebhookDelivery.objects.filter(pk=second.pk).update(status="delivered")
    again = client.do("webhook_deliveries.replay", first.public_id).json["id"]
    WebhookDelivery.objects.filter(public_id=again).update(status="delivered")
    assert waiting() == [third.event_id]
    assert waiting("&type=key.created") == []
    assert waiting("&limit=1") == [third.event_id]
    nobody = client.api.get("/sandbox/v1/events", client.plain, "undelivered_to=whe_none")
    assert pointed(nobody) == ["/undelivered_to"]


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
