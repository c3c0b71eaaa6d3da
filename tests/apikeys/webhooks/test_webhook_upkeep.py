"""The maintenance jobs for the dispatcher."""

from datetime import timedelta

import pytest
from django.db import transaction

from apikeys.webhooks import cancellation, endpoints, maintenance
from apikeys.webhooks.lifecycle import EndpointStatus, PausedReason
from apikeys.webhooks.models import (
    DeliveryLane,
    DispatcherHeartbeat,
    QueuedDelivery,
    WebhookDelivery,
    WebhookEndpoint,
)
from console.audit.models import Entry
from console.core import clock
from console.events import outbox
from tests import factories
from tests.apikeys.webhooks import world


@pytest.fixture(autouse=True)
def kind():
    with world.a_kind():
        yield


def test_a_halted_lane_pauses_its_endpoint_once():
    endpoint, _ = world.an_endpoint()
    other, _ = world.an_endpoint()
    DeliveryLane.objects.filter(endpoint=endpoint).update(halted=PausedReason.GONE)

    maintenance.pause_halted()
    maintenance.pause_halted()

    endpoint.refresh_from_db()
    other.refresh_from_db()
    assert (endpoint.status, endpoint.paused_reason) == ("paused", "gone")
    assert other.status == EndpointStatus.ACTIVE
    assert Entry.objects.filter(code="webhook_endpoint.paused").count() == 1


@pytest.mark.parametrize("paused", [True, False])
def test_resuming_lets_the_lane_begin_anew(paused: bool):
    endpoint, _ = world.an_endpoint()
    DeliveryLane.objects.filter(endpoint=endpoint).update(
        halted=PausedReason.FAILING, consecutive_failures=30, breaker_step=3, breaker_failures=9
    )
    if paused:
        maintenance.pause_halted()

    endpoints.resume(endpoint, by=factories.owner_of(endpoint.business))

    lane = DeliveryLane.objects.get(endpoint=endpoint)
    assert (lane.halted, lane.consecutive_failures) == ("", 0)
    assert (lane.breaker_step, lane.breaker_failures) == (0, 0)


@pytest.mark.parametrize(("taken", "hours", "ends"), [(0, 1, False), (3, 1, True), (0, -1, True)])
def test_an_overlap_ends_when_it_is_over_or_needed_no_more(taken: int, hours: int, ends: bool):
    endpoint, _ = world.an_endpoint()
    endpoint, _ = endpoints.rotate_secret(endpoint, by=factories.owner_of(endpoint.business))
    rows = WebhookEndpoint.objects.filter(pk=endpoint.pk)
    factories.change(rows, previous_secret_ends_at=clock.now() + timedelta(hours=hours))
    DeliveryLane.objects.filter(endpoint=endpoint).update(current_accepted=taken)

    maintenance.end_overlaps()

    endpoint.refresh_from_db()
    assert (endpoint.previous_secret is None) == ends


def test_what_waits_for_a_removed_endpoint_is_abandoned():
    endpoint, _ = world.an_endpoint()
    kept, _ = world.an_endpoint()
    for business in (endpoint.business, kept.business):
        with transaction.atomic():
            outbox.publish("fact.happened", business)
    endpoints.remove(endpoint, by=factories.owner_of(endpoint.business))

    cancellation.abandon_removed()

    assert QueuedDelivery.objects.get().endpoint_id == kept.pk
    assert WebhookDelivery.objects.get(endpoint=endpoint).status == "abandoned"
    assert WebhookDelivery.objects.get(endpoint=kept).status == "pending"


def test_of_a_storm_the_oldest_are_held_and_its_people_hear_of_the_gap(monkeypatch, mailoutbox):
    monkeypatch.setattr(cancellation, "MOST_HELD", 3)
    storm, _ = world.an_endpoint()
    calm, _ = world.an_endpoint()
    for endpoint in (storm, storm, storm, storm, storm, calm):
        with transaction.atomic():
            outbox.publish("fact.happened", endpoint.business)
    told = list(QueuedDelivery.objects.filter(endpoint=storm).order_by("pk"))

    maintenance.keep_within_the_most()
    maintenance.keep_within_the_most()
    outbox.settle()

    assert list(QueuedDelivery.objects.filter(endpoint=storm).order_by("pk")) == told[:3]
    left_out = WebhookDelivery.objects.filter(status="abandoned")
    assert set(left_out.values_list("public_id", flat=True)) == {one.public_id for one in told[3:]}
    assert QueuedDelivery.objects.filter(endpoint=calm).count() == 1
    assert Entry.objects.filter(code="webhook_endpoint.left_out").count() == 1
    owner = factories.owner_of(storm.business)
    (mail,) = [one for one in mailoutbox if one.to == [owner.email]]
    assert "there will be a gap" in mail.body


def test_what_is_too_old_ends():
    endpoint, _ = world.an_endpoint()
    with transaction.atomic():
        outbox.publish("fact.happened", endpoint.business)
    cancellation.end_outlived()
    assert QueuedDelivery.objects.count() == 1
    QueuedDelivery.objects.update(event_created_at=clock.now() - timedelta(days=31))

    cancellation.end_outlived()

    assert not QueuedDelivery.objects.exists()
    assert WebhookDelivery.objects.get().status == "exhausted"


def test_a_missing_dispatcher_is_told_where_somebody_waits_for_one(
    caplog: pytest.LogCaptureFixture,
):
    assert maintenance.missing() == []
    world.an_endpoint()
    (sentence,) = maintenance.missing()
    assert "has never run" in sentence
    beat = DispatcherHeartbeat.objects.create(
        process="0" * 32, started_at=clock.now(), beat_at=clock.now()
    )
    assert maintenance.missing() == []
    beat.beat_at = clock.now() - timedelta(seconds=16)
    beat.save()
    maintenance.log_missing()
    assert "16 seconds ago" in maintenance.missing()[0]
    assert "dispatcher_missing" in caplog.text
