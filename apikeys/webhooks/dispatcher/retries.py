"""Retry schedule: the number of attempts of a delivery and the waits between them."""

import math
import random
from datetime import UTC
from email.utils import parsedate_to_datetime

from apikeys.lifecycle import Environment
from apikeys.webhooks.dispatcher.records import (
    DELIVERED,
    EXHAUSTED,
    RETRY,
    Claimed,
    ReceiverAnswer,
    Result,
)
from apikeys.webhooks.models import WebhookEndpoint

# Seconds before the second attempt, the third, and so on: 75 h 42 min in total.
WAITS = (5, 30, 120, 600, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
MOST_LIVE = len(WAITS) + 1
MOST_SANDBOX = 6
LONGEST_ASKED = 86_400.0
_JITTER = (0.8, 1.2)
# The longest HTTP date has 35 characters; ignore longer values.
_LONGEST_HEADER = 64


def most_attempts(endpoint: WebhookEndpoint) -> int:
    """Return how often a delivery is tried there."""
    return MOST_LIVE if endpoint.environment == Environment.LIVE else MOST_SANDBOX


def settle(claimed: Claimed, answer: ReceiverAnswer) -> Result:
    """Return the result of an answer: delivered, to be retried, or exhausted."""
    if answer.accepted:
        return Result(claimed, answer, DELIVERED)
    attempt = claimed.queued.attempts
    if attempt >= most_attempts(claimed.endpoint):
        return Result(claimed, answer, EXHAUSTED)
    wait = WAITS[attempt - 1] * random.uniform(*_JITTER)  # noqa: S311
    asked = answer.retry_after
    # A receiver may ask for a longer wait, never for a shorter one.
    return Result(claimed, answer, RETRY, max(wait, asked or 0.0), asked)


def asked_to_wait(header: str | None, now: float) -> float | None:
    """Return the wait in seconds that a `Retry-After` asks for, at most one day, or None.

    `now` is in seconds since 1970. Past dates, signs and everything except digits or a date give
    None.
    """
    if header is None or not 0 < len(header.strip()) <= _LONGEST_HEADER or not header.isascii():
        return None
    words = header.strip()
    if words.isdigit():
        return min(float(words), LONGEST_ASKED)
    try:
        moment = parsedate_to_datetime(words)
    except (ValueError, TypeError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    left = moment.timestamp() - now
    return min(left, LONGEST_ASKED) if left > 0 and math.isfinite(left) else None
