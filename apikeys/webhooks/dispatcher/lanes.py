"""The rules of sending to one endpoint: how many at once, when to stop for a while, when for good.

Each is a function of the lane's state, without a database. A moment is the database's.
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

# So many of one endpoint in one turn.
TURN = 8

# The window: how many may be under way at once.
WINDOW_MOST = {Environment.LIVE: 32, Environment.SANDBOX: 8}
WINDOW_GROWS_AFTER = 20

# The breaker: failures in a row that open it, and the seconds that it stays open.
BREAKER_OPENS_AFTER = 5
BREAKER_SECONDS, BREAKER_MOST_SECONDS = 30, 300
_BREAKER_JITTER = (0.8, 1.0)

# In a row, so many deliveries taken with the new secret show that the receiver has it.
NEW_SECRET_TAKEN = 3


@dataclass(frozen=True, slots=True)
class LaneState:
    """How sending to one endpoint goes: the columns of `DeliveryLane` that the rules change."""

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
    """Return how many deliveries may be started now, of at most `rate` in a second."""
    window = state.window if is_proved and state.breaker_step == 0 else 1
    return max(0, min(window - state.in_flight, _paced_room(state, now, rate), TURN))


def _paced_room(state: LaneState, now: datetime, rate: float) -> int:
    """Return how many the rate allows: those of one second at once, or one where it is slower."""
    used = max(0.0, (state.paced_until - now).total_seconds()) if state.paced_until else 0.0
    # Whole numbers of deliveries, although seconds are not exact.
    return math.floor((max(1.0, 1 / rate) - used) * rate + 1e-6)


def started(state: LaneState, count: int, now: datetime, *, rate: float) -> LaneState:
    """Return the state after so many deliveries were started."""
    begin = max(state.paced_until or now, now)
    return replace(
        state,
        in_flight=state.in_flight + count,
        paced_until=begin + timedelta(seconds=count / rate),
    )


def answered(
    state: LaneState, answers: Sequence[ReceiverAnswer], environment: Environment, now: datetime
) -> LaneState:
    """Return the state after answers, the first one first."""
    for answer in answers:
        state = breaker_after(state, answer, now)
        state = pause_after(state, answer, environment, now)
    return window_after(state, answers, environment)


def breaker_after(state: LaneState, answer: ReceiverAnswer, now: datetime) -> LaneState:
    """Open the breaker after failures in a row, and for longer each time that it fails again.

    Whatever shows that the receiver is up closes it, a refusal too.
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
    """Halt a lane whose receiver is gone, or has failed for too long."""
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
    """Widen the window by one for every 20 successes; halve it where the receiver is overloaded.

    Answers of one moment halve it once: they were sent through the same window.
    """
    if any(answer.is_overloaded for answer in answers):
        return replace(state, window=max(1, state.window // 2), window_successes=0)
    good = sum(answer.accepted for answer in answers)
    more, left = divmod(state.window_successes + good, WINDOW_GROWS_AFTER)
    window = min(WINDOW_MOST[environment], state.window + more)
    return replace(state, window=window, window_successes=left)
