"""Endpoints that get no or few deliveries, and endpoints that change meanwhile."""

import asyncio
import threading
from datetime import timedelta

import pytest

from apikeys.lifecycle import Environment
from apikeys.webhooks import cancellation, deliveries, endpoints, fan_out
from apikeys.webhooks.delivery_signatures import hex_signature
from apikeys.webhooks.models import DeliveryLane, QueuedDelivery, WebhookDelivery, WebhookEndpoint
from console.core import clock
from tests import factories
from tests.apikeys.webhooks import world
from tests.apikeys.webhooks.dispatcher.conftest import (
    an_endpoint,
    be_due,
    ended,
    happen,
    tried,
)
from tests.apikeys.webhooks.dispatcher.receiver import OK, Heard, Receiver, says
from tests.services import Services
from tests.waiting import eventually

pytestmark = pytest.mark.services


class Gate:
    """Answers when the test says so."""

    def __init__(self) -> None:
        self.open = threading.Event()

    async def __call__(self, heard: Heard, writer: asyncio.StreamWriter) -> None:
        while not self.open.is_set():
            await asyncio.sleep(0.01)
        writer.write(OK)


def lane_of(endpoint: WebhookEndpoint) -> DeliveryLane:
    return DeliveryLane.objects.get(endpoint=endpoint)


def owner(endpoint: WebhookEndpoint):
    return factories.owner_of(endpoint.business)


def after_another(receiver: Receiver, endpoint: WebhookEndpoint) -> None:
    """Wait until a later event of the same business has arrived elsewhere."""
    other = an_endpoint(receiver, "/other", business=endpoint.business)
    deliveries.ping(other, by=owner(endpoint))
    eventually(lambda: receiver.of("/other"))


def test_a_paused_endpoint_keeps_everything_and_gets_it_when_it_is_resumed(
    deliver: Services, receiver: Receiver
):
    endpoint = an_endpoint(receiver, "/a")
    endpoints.pause(endpoint, by=owner(endpoint))
    happen(endpoint.business, 3)
    after_another(receiver, endpoint)
    assert receiver.of("/a") == []

    endpoints.resume(endpoint, by=owner(endpoint))

    eventually(lambda: len(receiver.of("/a")) == 3)


def test_a_live_endpoint_that_proved_nothing_gets_test_events_alone(
    deliver: Services, receiver: Receiver
):
    endpoint = an_endpoint(receiver, "/a", environment=Environment.LIVE, verified=False)
    happen(endpoint.business, 2, environments=["live"])
    deliveries.ping(endpoint, by=owner(endpoint))

    (arrived,) = ended()

    assert (arrived.kind, arrived.status) == ("ping", "delivered")
    assert len(receiver.of("/a")) == 1
    assert QueuedDelivery.objects.filter(endpoint=endpoint).count() == 2


def test_an_unverified_sandbox_endpoint_gets_one_at_a_time(deliver: Services, receiver: Receiver):
    gate = Gate()
    receiver.replies["/a"] = gate
    endpoint = an_endpoint(receiver, "/a", verified=False)
    happen(endpoint.business, 3)
    eventually(lambda: receiver.of("/a"))
    after_another(receiver, endpoint)
    assert len(receiver.of("/a")) == 1
    gate.open.set()
    ended(3)
    assert receiver.most_at_once["/a"] == 1


def test_an_unverified_sandbox_endpoint_gets_one_delivery_a_second(
    deliver: Services, receiver: Receiver
):
    endpoint = an_endpoint(receiver, "/a", verified=False)
    happen(endpoint.business, 4)
    ended(4)
    moments = [attempt.at for attempt in tried(4)]
    assert moments[3] - moments[0] >= timedelta(seconds=2.8)


def test_of_one_object_one_is_under_way_and_the_first_comes_first(
    deliver: Services, receiver: Receiver
):
    gate = Gate()
    receiver.replies["/a"] = gate
    endpoint = an_endpoint(receiver, "/a")
    happen(endpoint.business, 4, resource="same")
    happen(endpoint.business, 1, resource="other")
    eventually(lambda: len(receiver.of("/a")) >= 2)
    after_another(receiver, endpoint)
    assert len(receiver.of("/a")) == 2
    gate.open.set()
    eventually(lambda: len(receiver.of("/a")) == 5)
    of_same = [one.headers["webhook-id"] for one in receiver.of("/a")]
    sequence = list(
        WebhookDelivery.objects.filter(endpoint=endpoint)
        .order_by("pk")
        .values_list("event_id", flat=True)
    )[:4]
    assert [one for one in of_same if one in sequence] == sequence


def test_a_removed_endpoint_leaves_nothing_behind(deliver: Services, receiver: Receiver):
    """On removal, the delivery in progress counts as sent, and the waiting one is abandoned."""
    gate = Gate()
    receiver.replies["/a"] = gate
    endpoint = an_endpoint(receiver, "/a")
    happen(endpoint.business, 2, resource="same")
    eventually(lambda: receiver.of("/a"))
    endpoints.remove(endpoint, by=owner(endpoint))
    gate.open.set()
    ended()

    cancellation.abandon_removed()

    assert [one.status for one in ended(2)] == ["delivered", "abandoned"]
    assert lane_of(endpoint).in_flight == 0
    assert not QueuedDelivery.objects.exists()


def test_a_pause_while_it_is_under_way_ends_that_one_alone(deliver: Services, receiver: Receiver):
    gate = Gate()
    receiver.replies["/a"] = gate
    endpoint = an_endpoint(receiver, "/a")
    happen(endpoint.business, 2, resource="same")
    eventually(lambda: receiver.of("/a"))
    endpoints.pause(endpoint, by=owner(endpoint))
    gate.open.set()
    ended()
    after_another(receiver, endpoint)
    assert len(receiver.of("/a")) == 1
    assert lane_of(endpoint).in_flight == 0


def test_a_receiver_may_take_the_new_secret_when_it_likes(deliver: Services, receiver: Receiver):
    """A receiver that refuses the new secret gets the previous one in the same attempt.

    After it accepts the new one three times, the previous one is not used any more.
    """
    endpoint, first = world.an_endpoint(url=receiver.url("/a"), verified=True, events=[world.KIND])
    endpoint, second = endpoints.rotate_secret(endpoint, by=owner(endpoint))
    known = [first]

    async def checks(heard: Heard, writer: asyncio.StreamWriter) -> None:
        t, v1 = (part.split("=")[1] for part in heard.headers["Service-Signature"].split(","))
        right = hex_signature(known[0], int(t), heard.body) == v1
        await says(200 if right else 401)(heard, writer)

    receiver.replies["/a"] = checks
    happen(endpoint.business, resource="one")
    (delivery,) = ended()
    assert (delivery.status, delivery.attempts) == ("delivered", 1)
    assert [one.signed_with for one in tried()] == ["previous"]
    assert len(receiver.of("/a")) == 2
    assert lane_of(endpoint).previous_accepted == 1
    assert {len(one.headers["webhook-signature"].split()) for one in receiver.heard} == {2}

    known[0] = second
    for count in (1, 2, 3):
        happen(endpoint.business, resource="one")
        ended(1 + count)
    assert lane_of(endpoint).current_accepted == 3
    known[0] = first
    happen(endpoint.business, resource="one")
    tried(5)
    assert tried()[-1].status == 401
    assert tried()[-1].signed_with == "current"


def test_a_receiver_that_is_down_is_asked_less_and_gets_all_when_it_is_back(
    deliver: Services, receiver: Receiver
):
    receiver.replies["/a"] = says(500)
    endpoint = an_endpoint(receiver, "/a")
    happen(endpoint.business, 5)
    tried(5)
    eventually(lambda: lane_of(endpoint).breaker_step == 1)
    be_due()
    happen(endpoint.business, 2, resource="held")
    after_another(receiver, endpoint)
    assert len(receiver.of("/a")) == 5
    assert set(
        QueuedDelivery.objects.filter(resource_id="held").values_list("attempts", flat=True)
    ) == {0}

    # The breaker half-opens, one delivery fails, and the breaker opens for longer.
    DeliveryLane.objects.filter(endpoint=endpoint).update(breaker_until=clock.now())
    eventually(lambda: lane_of(endpoint).breaker_step == 2)
    assert len(receiver.of("/a")) == 6
    assert (lane_of(endpoint).breaker_until or clock.now()) > clock.now() + timedelta(seconds=5)

    # It recovers, and retries that are far off become due within a minute.
    del receiver.replies["/a"]
    waiting = QueuedDelivery.objects.filter(endpoint=endpoint)
    waiting.exclude(resource_id="held").update(due_at=clock.now() + timedelta(hours=5))
    DeliveryLane.objects.filter(endpoint=endpoint).update(breaker_until=clock.now())
    eventually(lambda: lane_of(endpoint).breaker_step == 0)
    far = clock.now() + timedelta(minutes=30)
    eventually(lambda: not waiting.filter(due_at__gt=far).exists())
    be_due()
    eventually(lambda: not waiting.exists())


@pytest.mark.parametrize(("hours", "halted"), [(23, ""), (25, "failing")])
def test_a_receiver_that_fails_for_long_is_left_alone(
    deliver: Services, receiver: Receiver, hours: int, halted: str
):
    receiver.replies["/a"] = says(404)
    endpoint = an_endpoint(receiver, "/a")
    DeliveryLane.objects.filter(endpoint=endpoint).update(
        consecutive_failures=24, failing_since=clock.now() - timedelta(hours=hours)
    )
    happen(endpoint.business)
    tried()
    eventually(lambda: lane_of(endpoint).consecutive_failures == 25)
    assert lane_of(endpoint).halted == halted


def test_no_cookie_of_one_business_reaches_another(deliver: Services, receiver: Receiver):
    receiver.replies["/a"] = says(200, b"", "Set-Cookie: session=secret; Path=/")
    endpoint = an_endpoint(receiver, "/a")
    happen(endpoint.business)
    ended()
    other = an_endpoint(receiver, "/b")
    happen(other.business)
    happen(endpoint.business, resource="again")
    ended(3)
    assert len(receiver.heard) == 3
    for heard in receiver.heard:
        assert not {"cookie", "authorization", "proxy-authorization"} & {
            name.lower() for name in heard.headers
        }


def test_nobody_need_notify(deliver: Services, receiver: Receiver, monkeypatch: pytest.MonkeyPatch):
    """A process that dies between commit and notification costs a second."""
    monkeypatch.setattr(fan_out, "wake", lambda endpoint: None)
    endpoint = an_endpoint(receiver, "/a")
    happen(endpoint.business, 20)
    ended(20)
    assert len(receiver.of("/a")) == 20
