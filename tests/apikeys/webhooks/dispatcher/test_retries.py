"""The retry schedule, and the limits of `Retry-After`."""

from datetime import UTC, datetime

import pytest

from apikeys.webhooks.dispatcher import retries
from apikeys.webhooks.dispatcher.records import EXHAUSTED, RETRY, Claimed, ReceiverAnswer
from apikeys.webhooks.lifecycle import Verification
from tests.apikeys.webhooks import world

NOW = datetime(2026, 8, 29, 12, tzinfo=UTC).timestamp()


def claimed(attempt: int, environment: str = "live", *, unproved: bool = False) -> Claimed:
    verification = Verification.UNVERIFIED if unproved else Verification.VERIFIED
    return world.claimed(
        "https://a.example/", attempt, environment=environment, verification=verification
    )


def test_it_lasts_three_days_and_a_bit():
    assert sum(retries.WAITS) == (75 * 60 + 42) * 60 + 35
    assert len(retries.WAITS) + 1 == 12


@pytest.mark.parametrize(("environment", "unproved", "most"), [
    ("live", False, 12), ("sandbox", False, 6), ("sandbox", True, 6), ("live", True, 12),
])  # fmt: skip
def test_attempts_end(environment: str, unproved: bool, most: int):
    failed = ReceiverAnswer(at=0, status=500)
    last = claimed(most, environment, unproved=unproved)
    before = claimed(most - 1, environment, unproved=unproved)
    assert retries.settle(last, failed).outcome == EXHAUSTED
    result = retries.settle(before, failed)
    assert result.outcome == RETRY
    planned = retries.WAITS[most - 2]
    assert 0.8 * planned <= result.wait <= 1.2 * planned


def test_a_receiver_never_makes_it_earlier():
    result = retries.settle(claimed(11), ReceiverAnswer(at=0, status=429, retry_after=1.0))
    assert result.wait >= 0.8 * 86_400


@pytest.mark.parametrize(("header", "seconds"), [
    (None, None), ("", None), ("120", 120), (" 120 ", 120), ("99999999999", 86_400),
    ("-1", None), ("1.5", None), ("garbage", None), ("٣", None), ("1" * 1_000_000, None),
    ("Sat, 29 Aug 2026 12:10:00 GMT", 600), ("Sat, 29 Aug 2026 11:59:00 GMT", None),
    ("Sat, 29 Aug 9999 12:10:00 GMT", 86_400), ("Sat, 99 Aug 2026 12:10:00 GMT", None),
])  # fmt: skip
def test_what_is_asked(header: str | None, seconds: float | None):
    assert retries.asked_to_wait(header, NOW) == seconds
