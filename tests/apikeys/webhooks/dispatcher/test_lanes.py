"""Tables for the breaker, window, pause and rate of one endpoint."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apikeys.lifecycle import Environment
from apikeys.webhooks.dispatcher import lanes
from apikeys.webhooks.dispatcher.records import ReceiverAnswer
from apikeys.webhooks.models import DeliveryLane

NOW = datetime(2026, 8, 29, 12, tzinfo=UTC)
LIVE, SANDBOX = Environment.LIVE, Environment.SANDBOX
SOON, BEFORE = NOW + timedelta(seconds=9), NOW - timedelta(seconds=1)


def say(*statuses: int | None) -> list[ReceiverAnswer]:
    return [ReceiverAnswer(at=0, status=status, timed_out=status is None) for status in statuses]


@pytest.mark.parametrize(("before", "statuses", "step", "seconds"), [
    ({}, [500] * 4, 0, None),
    ({}, [500] * 5, 1, (24, 30)),
    ({}, [None, 429, 503, None, 500], 1, (24, 30)),
    ({}, [500] * 9, 1, (24, 30)),
    # A refusal shows that the receiver is up, so the count restarts.
    ({}, [500] * 4 + [404] + [500] * 4, 0, None),
    ({"breaker_failures": 4}, [500], 1, (24, 30)),
    # Half open: the one delivery fails, and it opens for longer; at most five minutes.
    ({"breaker_step": 1, "breaker_until": BEFORE}, [500], 2, (48, 60)),
    ({"breaker_step": 2, "breaker_until": BEFORE}, [500], 3, (96, 120)),
    ({"breaker_step": 9, "breaker_until": BEFORE}, [500], 10, (240, 300)),
    ({"breaker_step": 99, "breaker_until": BEFORE}, [500], 100, (240, 300)),
    # Deliveries in progress when it opened change nothing.
    ({"breaker_step": 1, "breaker_until": SOON, "breaker_failures": 5}, [500], 1, (9, 9)),
    ({"breaker_step": 3, "breaker_until": BEFORE, "breaker_failures": 9}, [200], 0, None),
    ({"breaker_step": 3, "breaker_until": SOON, "breaker_failures": 9}, [404], 0, None),
])  # fmt: skip
def test_the_breaker(
    before: dict[str, Any], statuses: list[int], step: int, seconds: tuple[float, float] | None
):
    lane = DeliveryLane(**before)
    for answer in say(*statuses):
        lanes.follow_breaker(lane, answer, NOW)

    assert lane.breaker_step == step
    if seconds is None:
        assert lane.breaker_until is None
    else:
        assert lane.breaker_until is not None
        assert seconds[0] <= (lane.breaker_until - NOW).total_seconds() <= seconds[1]


@pytest.mark.parametrize(("window", "successes", "statuses", "environment", "expected"), [
    (4, 0, [200] * 19, LIVE, (4, 19)),
    (4, 19, [200], LIVE, (5, 0)),
    (4, 19, [200] * 22, LIVE, (6, 1)),
    (32, 19, [200], LIVE, (32, 0)),
    (8, 19, [200], SANDBOX, (8, 0)),
    (4, 7, [404, 500], LIVE, (4, 7)),
    (8, 7, [503], LIVE, (4, 0)),
    (8, 7, [429, 200, 200], LIVE, (4, 0)),
    (9, 7, [None], LIVE, (4, 0)),
    # Once for answers that came together.
    (8, 0, [503] * 8, LIVE, (4, 0)),
    (1, 0, [503], LIVE, (1, 0)),
])  # fmt: skip
def test_the_window(
    window: int, successes: int, statuses: list[int], environment: Environment,
    expected: tuple[int, int],
):  # fmt: skip
    lane = DeliveryLane(window=window, window_successes=successes)
    lanes.follow_window(lane, say(*statuses), environment)
    assert (lane.window, lane.window_successes) == expected


@pytest.mark.parametrize(("environment", "failures", "hours", "statuses", "halted"), [
    (LIVE, 24, 72, [500], "failing"),
    (LIVE, 24, 71, [500], ""),
    (LIVE, 23, 72, [500], ""),
    (LIVE, 23, 72, [500, 500], "failing"),
    (SANDBOX, 24, 24, [404], "failing"),
    (SANDBOX, 24, 23, [404], ""),
    (LIVE, 99, 99, [200, 500], ""),
    (LIVE, 0, 0, [410], "gone"),
    (LIVE, 24, 72, [410], "gone"),
    # It stays so until the endpoint is resumed.
    (LIVE, 0, 0, [410, 200], "gone"),
])  # fmt: skip
def test_the_pause(
    environment: Environment, failures: int, hours: int, statuses: list[int], halted: str
):
    lane = DeliveryLane(consecutive_failures=failures, failing_since=NOW - timedelta(hours=hours))
    for answer in say(*statuses):
        lanes.follow_pause(lane, answer, environment, NOW)
    assert lane.halted == halted


@pytest.mark.parametrize(("statuses", "failures", "since"), [
    ([404], 8, BEFORE),
    ([404, 200], 0, None),
    ([200, 404, 404], 2, NOW),
])  # fmt: skip
def test_failures_are_counted_from_the_last_success(
    statuses: list[int], failures: int, since: datetime | None
):
    lane = DeliveryLane(consecutive_failures=7, failing_since=BEFORE)
    lanes.learn(lane, say(*statuses), LIVE, NOW)
    assert (lane.consecutive_failures, lane.failing_since) == (failures, since)


@pytest.mark.parametrize(("members", "is_proved", "room"), [
    ({}, True, 4),
    ({"in_flight": 3}, True, 1),
    ({"in_flight": 4}, True, 0),
    ({"in_flight": 9}, True, 0),
    ({"window": 32}, True, lanes.TURN),
    ({}, False, 1),
    ({"in_flight": 1}, False, 0),
    ({"breaker_step": 2}, True, 1),
    ({"window": 8, "paced_until": BEFORE}, True, 8),
    ({"window": 8, "paced_until": NOW + timedelta(seconds=0.5)}, True, 5),
    ({"window": 8, "paced_until": NOW + timedelta(seconds=1)}, True, 0),
    ({"window": 8, "paced_until": SOON}, True, 0),
])  # fmt: skip
def test_the_room(members: dict[str, Any], is_proved: bool, room: int):
    assert lanes.room(DeliveryLane(**members), NOW, rate=10, is_proved=is_proved) == room


def test_no_more_start_in_a_second_than_the_rate_allows():
    """One second's worth may be used at once, and refills over time."""
    lane, begun = DeliveryLane(window=1000), 0
    for tenth in range(100):
        now = NOW + timedelta(seconds=tenth / 10)
        lane.in_flight = 0
        count = lanes.room(lane, now, rate=10, is_proved=True)
        lanes.start(lane, count, now, rate=10)
        begun += count
        assert lane.in_flight == count
    assert 100 <= begun <= 10 + 100
