"""Resending one delivery, a test event, and a whole range."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from apikeys.webhooks import deliveries, endpoint_rules, endpoints, replays
from apikeys.webhooks.lifecycle import DeliveryStatus, EndpointStatus, ReplayStatus
from apikeys.webhooks.models import (
    PublicEvent,
    QueuedDelivery,
    ReplayJob,
    WebhookDelivery,
    WebhookEndpoint,
)
from console.accounts.actors import SYSTEM
from console.core import clock
from console.core.refusals import NotAllowed, WrongStatus
from console.events import outbox
from console.events.models import Event
from tests import factories
from tests.apikeys.webhooks import world


@pytest.fixture
def told():
    """An endpoint with three successful deliveries."""
    with world.a_kind():
        endpoint, _ = world.an_endpoint()
        for text in ("one", "two", "three"):
            with transaction.atomic():
                outbox.publish("fact.happened", endpoint.business, text=text)
        QueuedDelivery.objects.all().delete()
        WebhookDelivery.objects.update(status=DeliveryStatus.DELIVERED)
        yield endpoint


def the_first(endpoint: WebhookEndpoint) -> WebhookDelivery:
    return deliveries.deliveries_to(endpoint).reverse()[0]


def the_range(**changes: Any) -> replays.Range:
    now = clock.now()
    hour = timedelta(hours=1)
    return replays.Range(**({"since": now - hour, "until": now + hour} | changes))


def test_one_is_sent_again_with_the_same_bytes(told: WebhookEndpoint):
    first = the_first(told)

    again = deliveries.resend(first, by=factories.owner_of(told.business))

    assert again.public_id != first.public_id
    assert again.event_id == first.event_id
    assert deliveries.body(again) == deliveries.body(first)
    assert QueuedDelivery.objects.get().public_id == again.public_id
    assert deliveries.pending(told) == 1
    assert deliveries.next_due(again) is not None


def test_a_forgotten_event_is_not_sent_again(told: WebhookEndpoint):
    first = the_first(told)
    first.event_id = "evt_forgotten"
    first.save()

    with pytest.raises(deliveries.EventForgotten):
        deliveries.resend(first, by=factories.owner_of(told.business))
    assert deliveries.body(first) is None


def test_a_test_event_leaves_no_gap_in_the_endpoints_own(told: WebhookEndpoint):
    owner = factories.owner_of(told.business)
    newest = PublicEvent.objects.filter(resource_id=told.public_id).order_by("sequence").last()

    ping = deliveries.ping(told, by=owner)
    endpoints.pause(told, by=owner)

    own = PublicEvent.objects.filter(resource_id=told.public_id).exclude(kind=deliveries.PING)
    assert ping.event_kind == deliveries.PING
    assert b'"sequence"' not in (deliveries.body(ping) or b"")
    before = (newest.sequence or 0) if newest else 0
    assert own.count() == before + own.filter(kind="webhook_endpoint.paused").count()
    with pytest.raises(WrongStatus):
        deliveries.ping(told, by=owner)


def test_whoever_may_not_sends_nothing(told: WebhookEndpoint):
    stranger = factories.a_person()

    for verb in (
        lambda: deliveries.ping(told, by=stranger),
        lambda: deliveries.resend(the_first(told), by=stranger),
        lambda: replays.start(told, the_range(), by=stranger),
    ):
        with pytest.raises(NotAllowed):
            verb()
    assert not QueuedDelivery.objects.exists()


def test_what_is_held_can_be_left_out(told: WebhookEndpoint):
    owner = factories.owner_of(told.business)
    with pytest.raises(WrongStatus):
        deliveries.resume_without_held(told, by=owner)
    endpoints.pause(told, by=owner)
    for text in ("four", "five"):
        with transaction.atomic():
            outbox.publish("fact.happened", told.business, text=text)
    held = deliveries.deliveries_to(told).filter(status=DeliveryStatus.PENDING).count()

    assert deliveries.resume_without_held(told, by=owner) == held >= 2

    told.refresh_from_db()
    assert told.status == EndpointStatus.ACTIVE
    assert deliveries.deliveries_to(told).filter(status=DeliveryStatus.ABANDONED).count() == held
    waiting = set(QueuedDelivery.objects.values_list("public_id", flat=True))
    abandoned = deliveries.deliveries_to(told).filter(status=DeliveryStatus.ABANDONED)
    assert not waiting & set(abandoned.values_list("public_id", flat=True))
    again = deliveries.resend(abandoned[0], by=owner)
    assert again.status == DeliveryStatus.PENDING


def test_nothing_is_sent_again_to_a_removed_endpoint(told: WebhookEndpoint):
    owner = factories.owner_of(told.business)
    first = the_first(told)
    endpoints.remove(told, by=owner)

    with pytest.raises(WrongStatus, match="removed"):
        deliveries.resend(first, by=owner)
    with pytest.raises(WrongStatus, match="removed"):
        deliveries.ping(told, by=owner)


def test_a_range_goes_on_where_it_was_interrupted(
    told: WebhookEndpoint, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(replays, "PAGE", 2)
    job = replays.start(told, the_range(), by=factories.owner_of(told.business))
    assert job.counted == 3

    job = replays.next_page(job, by=SYSTEM)
    assert (job.queued, job.status) == (2, ReplayStatus.RUNNING)
    event = Event.objects.get(kind="replay_job.running", subject_id=job.public_id)
    replays.work(event)
    replays.work(event)

    job = ReplayJob.objects.get(pk=job.pk)
    assert (job.queued, job.status) == (3, ReplayStatus.DONE)
    queued = QueuedDelivery.objects.order_by("pk").values_list("event_id", flat=True)
    first = WebhookDelivery.objects.filter(kind="normal").order_by("pk")
    assert list(queued) == list(first.values_list("event_id", flat=True))


def test_only_what_is_asked_for_is_sent_again(told: WebhookEndpoint):
    with transaction.atomic():
        outbox.publish("fact.happened", told.business)
    WebhookDelivery.objects.filter(status="pending").update(status=DeliveryStatus.EXHAUSTED)

    assert replays.count(told, the_range(statuses=["exhausted"])) == 1
    assert replays.count(told, the_range(events=["key.created"])) == 0
    assert replays.count(told, the_range(since=clock.now() - timedelta(minutes=1))) == 4


def test_a_range_that_cannot_be_is_refused(told: WebhookEndpoint):
    changes: Any
    for changes, field in [
        ({"until": clock.now() - timedelta(hours=2)}, "until"),
        ({"since": clock.now() - timedelta(days=40)}, "since"),
        ({"statuses": ["lost"]}, "statuses"),
        ({"events": ["a.b"] * (endpoint_rules.MOST_KINDS + 1)}, "events"),
    ]:
        with pytest.raises(replays.ReplayRefused) as refused:
            replays.count(told, the_range(**changes))
        assert refused.value.field == field


def test_one_range_at_a_time_and_it_can_be_stopped(told: WebhookEndpoint):
    owner = factories.owner_of(told.business)
    job = replays.start(told, the_range(), by=owner)

    with pytest.raises(WrongStatus):
        replays.start(told, the_range(), by=owner)
    replays.cancel(job, by=owner)
    replays.work(Event.objects.get(kind="replay_job.running"))

    assert not QueuedDelivery.objects.exists()
    assert replays.start(told, the_range(), by=owner).status == ReplayStatus.RUNNING
