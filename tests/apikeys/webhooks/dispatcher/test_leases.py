"""Answers after the lease was lost: a success counts, a failure is ignored."""

from datetime import timedelta
from typing import Any

import pytest

from apikeys.webhooks.dispatcher import due_deliveries, recovery, retries, settling
from apikeys.webhooks.dispatcher.records import Claimed, ReceiverAnswer
from apikeys.webhooks.models import DeliveryAttempt, DeliveryLane, QueuedDelivery, WebhookDelivery
from console.core import clock
from tests.apikeys.webhooks.dispatcher.conftest import an_endpoint, happen
from tests.apikeys.webhooks.dispatcher.receiver import Receiver

GOOD = ReceiverAnswer(at=clock.now().timestamp(), status=200)
BAD = ReceiverAnswer(at=clock.now().timestamp(), status=500, error="http 500")


@pytest.fixture
def endpoint(receiver: Receiver) -> Any:
    endpoint = an_endpoint(receiver)
    happen(endpoint.business)
    return endpoint


def claim(endpoint: Any) -> Claimed:
    (claimed,) = due_deliveries.take([endpoint.pk], 8).deliveries
    return claimed


def settle(claimed: Claimed, answer: ReceiverAnswer) -> None:
    settling.write([retries.settle(claimed, answer)])


def lose() -> None:
    QueuedDelivery.objects.update(lease_until=clock.now() - timedelta(seconds=1))
    assert recovery.reap() == 1


def in_flight() -> int:
    return DeliveryLane.objects.get().in_flight


def test_a_late_success_is_a_delivery(endpoint: Any):
    late = claim(endpoint)
    assert in_flight() == 1
    lose()
    assert in_flight() == 0
    settle(late, GOOD)
    assert WebhookDelivery.objects.get().status == "delivered"
    assert not QueuedDelivery.objects.exists()
    assert in_flight() == 0


def test_a_late_failure_is_not_heard(endpoint: Any):
    late = claim(endpoint)
    lose()
    again = claim(endpoint)
    settle(late, BAD)
    assert QueuedDelivery.objects.get().lease is not None
    assert in_flight() == 1
    settle(again, GOOD)
    assert in_flight() == 0
    assert DeliveryLane.objects.get().consecutive_failures == 0
    assert [one.error for one in DeliveryAttempt.objects.order_by("pk")] == [
        "outcome unknown (worker lost)",
        "",
    ]


def test_two_successes_count_down_once(endpoint: Any):
    late = claim(endpoint)
    lose()
    again = claim(endpoint)
    settle(late, GOOD)
    settle(again, GOOD)
    assert in_flight() == 0
    assert WebhookDelivery.objects.get().status == "delivered"


def test_the_last_attempt_that_was_lost_may_answer_after_all(endpoint: Any):
    QueuedDelivery.objects.update(attempts=retries.MOST_SANDBOX - 1)
    late = claim(endpoint)
    lose()
    assert WebhookDelivery.objects.get().status == "exhausted"
    settle(late, GOOD)
    assert WebhookDelivery.objects.get().status == "delivered"


def test_a_counter_that_is_wrong_is_corrected(endpoint: Any):
    claim(endpoint)
    DeliveryLane.objects.update(in_flight=9)
    assert recovery.reconcile() == 1
    assert in_flight() == 1
    assert recovery.reconcile() == 0


def test_a_business_has_so_many_under_way_over_all_its_endpoints(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(due_deliveries, "OF_A_BUSINESS", 5)
    business = an_endpoint(receiver, "/a").business
    an_endpoint(receiver, "/b", business=business)
    happen(business, 9)
    keys = list(DeliveryLane.objects.values_list("pk", flat=True))
    taken = due_deliveries.take(keys, 100).deliveries
    assert len(taken) == 5
    assert due_deliveries.take(keys, 100).deliveries == []


def test_what_is_too_old_ends_without_an_attempt(endpoint: Any):
    QueuedDelivery.objects.update(event_created_at=clock.now() - timedelta(days=31))
    assert claim(endpoint).body is None
