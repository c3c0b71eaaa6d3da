"""Rules for sending to one endpoint: concurrency window, rate, circuit breaker and pause.

They change a lane in memory; the caller locks and saves it. Times are the database's.
"""

import math
import random
from collections.abc import Sequence
from datetime import datetime, timedelta

from apikeys.lifecycle import Environment
from apikeys.webhooks.dispatcher.records import ReceiverAnswer
from apikeys.webhooks.lifecycle import PAUSE_AFTER_FAILURES, PAUSE_AFTER_HOURS, PausedReason
from apikeys.webhooks.models import DeliveryLane

# Maximum number of deliveries per endpoint in one claim.
TURN = 8

# The window: maximum number of concurrent deliveries.
WINDOW_MOST = {Environment.LIVE: 32, Environment.SANDBOX: 8}
WINDOW_GROWS_AFTER = 20

# The circuit breaker: consecutive failures that open it, and seconds until it half-opens.
BREAKER_OPENS_AFTER = 5
BREAKER_SECONDS, BREAKER_MOST_SECONDS = 30, 300
_BREAKER_JITTER = (0.8, 1.0)

# Consecutive deliveries accepted with the new secret that prove that the receiver has it.
NEW_SECRET_TAKEN = 3


# Columns of a lane that these functions change.
CHANGED = (
    "in_flight",
    "paced_until",
    "window",
    "window_successes",
    "breaker_step",
    "breaker_until",
    "breaker_failures",
    "consecutive_failures",
    "failing_since",
    "halted",
)


def room(lane: DeliveryLane, now: datetime, *, rate: float, is_proved: bool) -> int:
    """Return how many deliveries may start now, at no more than `rate` per second."""
    window = lane.window if is_proved and lane.breaker_step == 0 else 1
    return max(0, min(window - lane.in_flight, _paced_room(lane, now, rate), TURN))


def _paced_room(lane: DeliveryLane, now: datetime, rate: float) -> int:
    """Return how many the rate allows: one second's worth at once, but at least one."""
    used = max(0.0, (lane.paced_until - now).total_seconds()) if lane.paced_until else 0.0
    # Compensate for rounding errors before rounding down.
    return math.floor((max(1.0, 1 / rate) - used) * rate + 1e-6)


def start(lane: DeliveryLane, count: int, now: datetime, *, rate: float) -> None:
    """Count `count` deliveries that start now."""
    lane.in_flight += count
    begin = max(lane.paced_until or now, now)
    lane.paced_until = begin + timedelta(seconds=count / rate)


def learn(
    lane: DeliveryLane, answers: Sequence[ReceiverAnswer], environment: Environment, now: datetime
) -> None:
    """Apply these answers, in order."""
    for answer in answers:
        follow_breaker(lane, answer, now)
        follow_pause(lane, answer, environment, now)
    follow_window(lane, answers, environment)


def follow_breaker(lane: DeliveryLane, answer: ReceiverAnswer, now: datetime) -> None:
    """Open the breaker after consecutive failures, for longer each time it fails again.

    Any answer that shows the receiver is up closes it, including a refusal.
    """
    if not answer.is_down:
        lane.breaker_step, lane.breaker_until, lane.breaker_failures = 0, None, 0
        return
    lane.breaker_failures += 1
    if lane.breaker_until is None:
        opens = lane.breaker_failures >= BREAKER_OPENS_AFTER
    else:
        opens = lane.breaker_until <= now
    if opens:
        seconds = min(BREAKER_MOST_SECONDS, BREAKER_SECONDS * 2 ** min(lane.breaker_step, 8))
        seconds *= random.uniform(*_BREAKER_JITTER)  # noqa: S311
        lane.breaker_step += 1
        lane.breaker_until = now + timedelta(seconds=seconds)


def follow_pause(
    lane: DeliveryLane, answer: ReceiverAnswer, environment: Environment, now: datetime
) -> None:
    """Halt a lane whose receiver is gone or has been failing for too long."""
    if answer.accepted:
        lane.consecutive_failures, lane.failing_since = 0, None
        return
    lane.consecutive_failures += 1
    lane.failing_since = lane.failing_since or now
    if lane.halted:
        return
    is_long = lane.failing_since <= now - timedelta(hours=PAUSE_AFTER_HOURS[environment])
    if answer.status == 410:
        lane.halted = PausedReason.GONE
    elif is_long and lane.consecutive_failures >= PAUSE_AFTER_FAILURES:
        lane.halted = PausedReason.FAILING


def follow_window(
    lane: DeliveryLane, answers: Sequence[ReceiverAnswer], environment: Environment
) -> None:
    """Widen the window by one per 20 successes; halve it if the receiver is overloaded.

    Answers of one batch halve it only once, since they were sent with the same window.
    """
    if any(answer.is_overloaded for answer in answers):
        lane.window, lane.window_successes = max(1, lane.window // 2), 0
        return
    good = sum(answer.accepted for answer in answers)
    more, lane.window_successes = divmod(lane.window_successes + good, WINDOW_GROWS_AFTER)
    lane.window = min(WINDOW_MOST[environment], lane.window + more)
