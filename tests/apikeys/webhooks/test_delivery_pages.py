"""The delivery pages: states, filters, pagination, attempts, the exact body, resending."""

import re
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from apikeys.webhooks import deliveries
from apikeys.webhooks.lifecycle import DeliveryStatus, EndpointStatus, PausedReason, ReplayStatus
from apikeys.webhooks.models import (
    DeliveryAttempt,
    QueuedDelivery,
    ReplayJob,
    WebhookDelivery,
    WebhookEndpoint,
)
from apikeys.webhooks.pages import delivery_log
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.core import clock, ids
from tests import factories
from tests.apikeys.webhooks import world

HOSTILE = "<script>alert('excerpt')</script><img src=x onerror=alert(1)>"


@pytest.fixture
def endpoint() -> Iterator[WebhookEndpoint]:
    with world.a_kind():
        yield world.an_endpoint()[0]


@pytest.fixture
def developer(client: Client, endpoint: WebhookEndpoint) -> Client:
    return factories.signed_in(client, factories.a_member(endpoint.business, Role.DEVELOPER))


def of(name: str, endpoint: WebhookEndpoint, *more: str) -> str:
    ids_of = [endpoint.business.public_id, endpoint.public_id, *more]
    return reverse(f"apikeys:{name}", args=ids_of)


def a_delivery(endpoint: WebhookEndpoint, **changes: Any) -> WebhookDelivery:
    """Return a delivery as the dispatcher leaves it."""
    now = clock.now()
    members: dict[str, Any] = {
        "public_id": ids.new("whd"),
        "endpoint": endpoint,
        "event_id": ids.new("evt"),
        "event_created_at": now,
        "event_kind": world.KIND,
        "kind": "normal",
        "status": DeliveryStatus.DELIVERED,
        "attempts": 1,
        "created_at": now,
        "ended_at": now,
    }
    members |= changes
    # Every delivery starts as pending.
    delivery = WebhookDelivery.objects.create(**(members | {"status": DeliveryStatus.PENDING}))
    if members["status"] != DeliveryStatus.PENDING:
        delivery.status = members["status"]
        delivery.save(update_fields=["status"])
    return delivery


def an_attempt(delivery: WebhookDelivery, **changes: Any) -> DeliveryAttempt:
    members = {
        "delivery_id": delivery.public_id,
        "environment": delivery.endpoint.environment,
        "number": 1,
        "at": delivery.created_at,
        "status": 200,
        "dns_us": 1_500,
        "connect_us": 20_500,
        "first_byte_us": 41_200,
        "total_us": 41_900,
    }
    return DeliveryAttempt.objects.create(**(members | changes))


# The list -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "paused", "label"),
    [
        (DeliveryStatus.DELIVERED, False, "Delivered"),
        (DeliveryStatus.PENDING, False, "Pending"),
        (DeliveryStatus.PENDING, True, "Held"),
        (DeliveryStatus.EXHAUSTED, True, "Failed"),
        (DeliveryStatus.ABANDONED, False, "Abandoned"),
    ],
)
def test_what_each_status_is_called(endpoint, status, paused, label):
    if paused:
        endpoint.status, endpoint.paused_reason = EndpointStatus.PAUSED, PausedReason.MERCHANT

    assert delivery_log.listed(endpoint, a_delivery(endpoint, status=status)).label == label


def test_filters_stand_in_the_address_and_hold_on_every_page(developer, endpoint, monkeypatch):
    monkeypatch.setattr(delivery_log, "PAGE", 2)
    failed = [a_delivery(endpoint, status=DeliveryStatus.EXHAUSTED) for _ in range(3)]
    well = a_delivery(endpoint)
    address = of("deliveries", endpoint)

    page = developer.get(address, {"state": "failed"}).content.decode()
    assert failed[2].event_id in page
    assert failed[1].event_id in page
    assert well.event_id not in page
    assert "?state=failed&amp;after=" in page
    older = page.split("?state=failed&amp;after=")[1].split('"')[0]
    page = developer.get(address, {"state": "failed", "after": older}).content.decode()
    assert failed[0].event_id in page
    assert failed[1].event_id not in page

    page = developer.get(address, {"event": well.event_id}).content.decode()
    assert [one.event_id in page.split("<tbody>")[1] for one in [well, *failed]] == [
        True, False, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize("state", ["nonsense", "held"])
def test_what_cannot_be_read_as_a_filter_narrows_nothing(developer, endpoint, state):
    well = a_delivery(endpoint)

    page = developer.get(of("deliveries", endpoint), {"state": state, "kind": "made.up"})

    assert well.event_id in page.content.decode()


# One delivery -------------------------------------------------------------------------------


def test_it_shows_every_attempt_with_its_times(developer, endpoint):
    delivery = a_delivery(endpoint, attempts=2)
    an_attempt(delivery, status=None, error="timeout", dns_us=None, connect_us=None)
    an_attempt(delivery, number=2, signed_with="previous", at=clock.now())

    page = developer.get(of("delivery", endpoint, delivery.public_id)).content.decode()

    for words in ("timeout", "No response", "Previous secret", "20.5", "41.9", "Sandbox"):
        assert words in page


def test_what_a_receiver_answered_stays_words(developer, endpoint):
    delivery = a_delivery(endpoint)
    an_attempt(delivery, status=500, error=HOSTILE[:100], excerpt=HOSTILE)

    page = developer.get(of("delivery", endpoint, delivery.public_id)).content.decode()

    assert "&lt;script&gt;alert(" in page
    assert "<script>alert" not in page
    assert "<img src=x" not in page


def test_the_body_is_the_one_that_is_sent(developer, endpoint):
    delivery = deliveries.ping(endpoint, by=SYSTEM)
    body = deliveries.body(delivery).decode()

    page = developer.get(of("delivery", endpoint, delivery.public_id)).content.decode()

    (shown,) = re.findall(r'<pre class="excerpt"><code>({.*?})</code>', page)
    assert unescape(shown) == body
    assert body.replace('"', "&quot;") in page
    assert "Next attempt" in page


def test_a_held_delivery_says_what_it_waits_for(developer, endpoint):
    delivery = deliveries.ping(endpoint, by=SYSTEM)
    developer.post(of("pause_endpoint", endpoint))

    page = developer.get(of("delivery", endpoint, delivery.public_id)).content.decode()

    assert "When the endpoint is resumed" in page


def test_it_is_sent_again_in_a_delivery_of_its_own(developer, endpoint):
    first = deliveries.ping(endpoint, by=SYSTEM)

    page = developer.post(of("resend", endpoint, first.public_id), follow=True)

    again = WebhookDelivery.objects.get(kind="replay")
    assert again.event_id == first.event_id
    assert again.public_id in page.redirect_chain[-1][0]
    assert QueuedDelivery.objects.count() == 2


def test_what_is_no_longer_kept_cannot_be_sent_again(developer, endpoint):
    gone = a_delivery(endpoint)

    page = developer.get(of("delivery", endpoint, gone.public_id)).content.decode()
    assert "We no longer keep this event." in page
    assert "Send again" not in page
    assert developer.post(of("resend", endpoint, gone.public_id)).status_code == 409


def test_a_delivery_stands_under_its_own_endpoint_alone(developer, endpoint):
    other, _ = world.an_endpoint(endpoint.business, url="https://other.example.com/in")
    theirs, _ = world.an_endpoint()

    for stranger in (other, theirs):
        delivery = a_delivery(stranger)
        assert developer.get(of("delivery", endpoint, delivery.public_id)).status_code == 404
        assert developer.post(of("resend", endpoint, delivery.public_id)).status_code == 404


@pytest.mark.parametrize("name", ["deliveries", "delivery"])
def test_the_pages_ask_the_same_number_of_questions_whatever_there_is(developer, endpoint, name):
    delivery = deliveries.ping(endpoint, by=SYSTEM)
    more = [delivery.public_id] if name == "delivery" else []
    address = of(name, endpoint, *more)
    an_attempt(delivery)
    developer.get(address)
    with CaptureQueriesContext(connection) as few:
        developer.get(address)
    for number in range(2, 12):
        an_attempt(delivery, number=number)
        an_attempt(a_delivery(endpoint))

    with CaptureQueriesContext(connection) as many:
        assert developer.get(address).status_code == 200

    assert len(many) == len(few)


# Replays ------------------------------------------------------------------------------------


def a_range(**changes: Any) -> dict[str, Any]:
    """Return the data that the form sends."""
    now = clock.now()
    typed = {
        "since": f"{now - timedelta(hours=1):%Y-%m-%dT%H:%M}",
        "until": f"{now + timedelta(hours=1):%Y-%m-%dT%H:%M}",
        "statuses": ["exhausted"],
    }
    return typed | changes


def test_a_range_is_counted_before_it_is_sent(developer, endpoint):
    for status in ("exhausted", "exhausted", "delivered"):
        a_delivery(endpoint, status=status)
    address = of("replay", endpoint)
    assert b"Count first" in developer.get(address).content

    page = developer.post(address, a_range()).content.decode()
    assert "In this range: 2 deliveries." in page
    assert not ReplayJob.objects.exists()

    page = developer.post(address, a_range(start="yes"), follow=True).content.decode()
    job = ReplayJob.objects.get()
    assert (job.counted, job.statuses) == (2, ["exhausted"])
    assert "0 of 2 queued again" in page
    assert 'hx-trigger="every 3s"' in page

    assert developer.post(address, a_range(start="yes")).status_code in (200, 409)
    developer.post(of("cancel_replay", endpoint))
    job.refresh_from_db()
    assert job.status == ReplayStatus.CANCELLED
    assert developer.post(of("cancel_replay", endpoint)).status_code == 409

    again = developer.post(address, a_range(start="yes"))
    assert again.status_code == 409
    assert "A replay was started after you opened this page" in again.text
    page = developer.post(address, a_range(seen=job.public_id)).text
    assert f'name="seen" value="{job.public_id}"' in page
    assert developer.post(address, a_range(start="yes", seen=job.public_id)).status_code == 302


def test_a_range_that_cannot_be_is_told(developer, endpoint):
    changes: Any
    for changes, words in [
        ({"since": ""}, "Enter the start of the range."),
        ({"until": "2020-01-01T00:00"}, "The end of the range must be after its start."),
        ({"since": "2020-01-01T00:00"}, "We keep events for 30 days. Choose a later start."),
        ({"statuses": []}, "Choose at least one status."),
    ]:
        page = developer.post(of("replay", endpoint), a_range(**changes))

        assert page.status_code == 200
        assert words in page.content.decode()


# Our staff ----------------------------------------------------------------------------------


def test_our_staff_stop_an_endpoint_with_a_reason_and_let_it_go_on(client, endpoint):
    factories.signed_in(client, factories.one_of_staff(Role.HEAD_OF_COMPLIANCE))
    business = endpoint.business.public_id
    address = reverse("apikeys:stop_endpoint", args=[business, endpoint.public_id])

    listed = client.get(reverse("apikeys:staff_endpoints", args=[business])).content.decode()
    assert endpoint.url in listed
    client.post(address, {"reason": "", "wanted": "stop"})
    endpoint.refresh_from_db()
    assert endpoint.status == EndpointStatus.ACTIVE

    assert 'name="wanted" value="stop"' in client.get(address).text
    stop = {"reason": "It floods a stranger.", "wanted": "stop"}
    # The second is from a page that was opened before the first.
    assert [client.post(address, stop).status_code for _ in range(2)] == [302, 302]
    endpoint.refresh_from_db()
    assert endpoint.paused_reason == PausedReason.ABUSE

    assert 'name="wanted" value="resume"' in client.get(address).text
    resume = {"reason": "They proved that it is theirs.", "wanted": "resume"}
    assert [client.post(address, resume).status_code for _ in range(2)] == [302, 409]
    endpoint.refresh_from_db()
    assert endpoint.status == EndpointStatus.ACTIVE
