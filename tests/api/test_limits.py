"""Rate limits: exact under concurrency, and stated in every response."""

import time
from dataclasses import replace

import pytest

from api import rate_limits, retention, throttling
from api.models import Bucket
from api.rate_limits import RATE_LIMITS, Policy
from tests.api.calling import Caller
from tests.apikeys import world
from tests.waiting import at_once

# So slow that nothing refills while a test runs.
SLOW = Policy("slow", 0.01, 100)


def take(name: str, policy: Policy) -> rate_limits.LimitState:
    (state,) = throttling.spend([(name, policy)])
    return state


def test_many_at_once_are_admitted_exactly_as_often_as_the_limit_says():
    def many(_: int) -> int:
        return sum(take("raced", SLOW).admitted for _ in range(75))

    assert sum(at_once(8, many)) == 100


def test_a_limit_that_refuses_leaves_those_behind_it_alone():
    first, second = ("first", Policy("first", 0.01, 1)), ("second", SLOW)

    assert [state.admitted for state in throttling.spend([first, second])] == [True, True]
    assert [state.admitted for state in throttling.spend([first, second])] == [False]
    assert [state.admitted for state in throttling.spend([second])] == [True]
    assert Bucket.objects.get(name="second").granted == 1
    assert take(*second).remaining == 0  # the rate limits the remaining number shown


def test_tokens_come_back_with_time():
    policy = Policy("slow", 0.5, 1)

    assert take("q", policy).admitted
    refused = take("q", policy)
    assert not refused.admitted
    assert 0 < refused.wait <= 2
    time.sleep(refused.wait + 0.005)
    assert take("q", policy).admitted


def test_an_unknown_tier_has_the_smallest_limits():
    assert RATE_LIMITS.of("live", "") == RATE_LIMITS.live["HIGH"]


def test_the_limit_is_said_in_headers_and_in_me(api):
    _, plain = world.a_key()

    reply = api.get("/sandbox/v1/me", plain)

    assert reply.headers["RateLimit-Policy"] == '"default";q=25;w=1, "endpoint";q=10;w=1'
    assert reply.headers["RateLimit"].startswith('"default";r=25;t=1, "endpoint";r=10;t=1')
    told = [limit["policy"] for limit in reply.json["limits"]]
    assert told == ["default", "endpoint", "financial", "quotes", "refusals"]
    assert all(limit["remaining"] <= limit["quota"] for limit in reply.json["limits"])


@pytest.fixture
def slow_api(monkeypatch):
    """Every client is too fast: the limit is one call in two seconds."""
    sandbox = {**RATE_LIMITS.sandbox, "endpoint": Policy("endpoint", 0.5, 1)}
    monkeypatch.setattr(rate_limits, "RATE_LIMITS", replace(RATE_LIMITS, sandbox=sandbox))
    return Caller()


def test_a_client_that_is_too_fast_is_told_when_to_come_back(slow_api):
    _, plain = world.a_key()

    replies = (slow_api.get("/sandbox/v1/me", plain) for _ in range(100))

    last = next(reply for reply in replies if reply.status == 429)
    assert last.code == "RATE_LIMITED"
    assert last.json["violated-policies"] == ["endpoint"]
    assert "r=0" in last.headers["RateLimit"]
    wait = int(last.headers["Retry-After"])
    assert 1 <= wait <= 3
    time.sleep(wait)
    assert slow_api.get("/sandbox/v1/me", plain).status == 200


def test_the_limit_is_of_the_business_and_not_of_the_key(unrefilled_api):
    grant = world.a_grant()
    plains = [world.a_key(grant)[1] for _ in range(3)]

    statuses = [unrefilled_api.get("/sandbox/v1/me", plains[n % 3]).status for n in range(26)]

    assert statuses == [200] * 20 + [429] * 6
    assert unrefilled_api.get("/sandbox/v1/me", world.a_key()[1]).status == 200


def test_full_buckets_are_forgotten():
    take("old", Policy("quick", 20, 1))
    Bucket.objects.update(arrives=time.time() - 1000)
    take("new", SLOW)

    retention.forget_idle_buckets()

    assert list(Bucket.objects.values_list("name", flat=True)) == ["new"]
