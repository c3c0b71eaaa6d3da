"""A gateway that is really open: its own connections, its listener, its request log."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from api.gateway.gateway import Gateway
from api.gateway.rate_limits import RATE_LIMITS, Limits, Policy, RateLimits
from api.v1.operations import TABLE
from tests.api.calling import Caller


@pytest.fixture(autouse=True)
def _database(transactional_db: None) -> None:
    """The gateway reads over connections of its own, so what it reads must be committed."""


@pytest.fixture(scope="session")
def gateway(django_db_setup: None, django_db_blocker: Any) -> Iterator[Gateway]:
    with django_db_blocker.unblock():
        opened = Gateway(TABLE)
        opened.open()
        yield opened
        opened.close()


@pytest.fixture
def api(gateway: Gateway) -> Caller:
    return Caller(gateway)


@pytest.fixture
def no_refill(gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The limits of the gateway, but nothing comes back while a test counts, however slow it is."""

    def slow(policy: Policy) -> Policy:
        return replace(policy, rate=policy.rate / 100_000)

    def slow_all(limits: Limits) -> Limits:
        return {name: slow(policy) for name, policy in limits.items()}

    limits = RateLimits(
        sandbox=slow_all(RATE_LIMITS.sandbox),
        live={tier: slow_all(each) for tier, each in RATE_LIMITS.live.items()},
        refusals=slow(RATE_LIMITS.refusals),
        auth_failures=slow(RATE_LIMITS.auth_failures),
    )
    monkeypatch.setattr(gateway.admission, "_rate_limits", limits)
    yield
    # What this process remembers of empty buckets would shut them for a day.
    gateway.limiter._buckets.clear()
