"""Rules for sending to one endpoint: concurrency window, rate, circuit breaker and pause.

Pure functions of the lane's state. Times are the database's.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
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


@dataclass(frozen=True, slots=True)
class LaneState:
    """The columns of `DeliveryLane` that the rules change."""

    in_flight: int = 0
    paced_until: datetime | None = None
    window: int = 4
    window_successes: int = 0
    breaker_step: int = 0
    breaker_until: datetime | None = None
    breaker_failures: int = 0
    consecutive_failures: int = 0
    failing_since: datetime | None = None
    halted: str = ""


MEMBERS = tuple(field.name for field in fields(LaneState))


def read(lane: DeliveryLane) -> LaneState:
    """Return the state of a lane."""
    return LaneState(**{name: getattr(lane, name) for name in MEMBERS})


def write(lane: DeliveryLane, state: LaneState) -> None:
    """Set the state of a lane, without saving it."""
    for name, value in asdict(state).items():
        setattr(lane, name, value)


def room(state: LaneState, now: datetime, *, rate: float, is_proved: bool) -> int:
    """Return how many deliveries may start now, at no more than `rate` per second."""
    window = state.window if is_proved and state.breaker_step == 0 else 1
    return max(0, min(window - state.in_flight, _paced_room(state, now, rate), TURN))


def _paced_room(state: LaneState, now: datetime, rate: float) -> int:
    """Return how many the rate allows: one second's worth at once, but at least one."""
    used = max(0.0, (state.paced_until - now).total_seconds()) if state.paced_until else 0.0
    # Compensate for rounding errors before rounding down.
    return math.floor((max(1.0, 1 / rate) - used) * rate + 1e-6)


def started(state: LaneState, count: int, now: datetime, *, rate: float) -> LaneState:
    """Return the state after starting `count` deliveries."""
    begin = max(state.paced_until or now, now)
    return replace(
        state,
        in_flight=state.in_flight + count,
        paced_until=begin + timedelta(seconds=count / rate),
    )


def answered(
    state: LaneState, answers: Sequence[ReceiverAnswer], environment: Environment, now: datetime
) -> LaneState:
    """Return the state after these answers, in order."""
    for answer in answers:
        state = breaker_after(state, answer, now)
        state = pause_after(state, answer, environment, now)
    return window_after(state, answers, environment)


def breaker_after(state: LaneState, answer: ReceiverAnswer, now: datetime) -> LaneState:
    """Open the breaker after consecutive failures, for longer each time it fails again.

    Any answer that shows the receiver is up closes it, including a refusal.
    """
    if not answer.is_down:
        return replace(state, breaker_step=0, breaker_until=None, breaker_failures=0)
    state = replace(state, breaker_failures=state.breaker_failures + 1)
    if state.breaker_until is None:
        opens = state.breaker_failures >= BREAKER_OPENS_AFTER
    else:
        opens = state.breaker_until <= now
    if not opens:
        return state
    seconds = min(BREAKER_MOST_SECONDS, BREAKER_SECONDS * 2 ** min(state.breaker_step, 8))
    seconds *= random.uniform(*_BREAKER_JITTER)  # noqa: S311
    return replace(
        state,
        breaker_step=state.breaker_step + 1,
        breaker_until=now + timedelta(seconds=seconds),
    )


def pause_after(
    state: LaneState, answer: ReceiverAnswer, environment: Environment, now: datetime
) -> LaneState:
    """Halt a lane whose receiver is gone or has been failing for too long."""
    if answer.accepted:
        return replace(state, consecutive_failures=0, failing_since=None)
    since = state.failing_since or now
    failures = state.consecutive_failures + 1
    halted = state.halted
    if not halted and answer.status == 410:
        halted = PausedReason.GONE
    is_long = since <= now - timedelta(hours=PAUSE_AFTER_HOURS[environment])
    if not halted and is_long and failures >= PAUSE_AFTER_FAILURES:
        halted = PausedReason.FAILING
    return replace(state, consecutive_failures=failures, failing_since=since, halted=halted)


def window_after(
    state: LaneState, answers: Sequence[ReceiverAnswer], environment: Environment
) -> LaneState:
    """Widen the window by one per 20 successes; halve it if the receiver is overloaded.

    Answers of one batch halve it only once, since they were sent with the same window.
    """
    if any(answer.is_overloaded for answer in answers):
        return replace(state, window=max(1, state.window // 2), window_successes=0)
    good = sum(answer.accepted for answer in answers)
    more, left = divmod(state.window_successes + good, WINDOW_GROWS_AFTER)
    window = min(WINDOW_MOST[environment], state.window + more)
    return replace(state, window=window, window_successes=left)
