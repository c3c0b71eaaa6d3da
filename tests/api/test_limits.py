"""Rate limits: exact under any concurrency, and said in every answer."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import psycopg
import pytest

from api.gateway import housekeeping
from api.gateway.database import Database
from api.gateway.gateway import Gateway
from api.gateway.limiter import Limiter
from api.gateway.models import Bucket
from api.gateway.rate_limits import LARGEST_LEASE, RATE_LIMITS, Policy
from api.gateway.waiting import WouldWait
from api.v1.operations import TABLE
from tests.api.calling import Caller
from tests.apikeys import world
from tests.waiting import eventually


@pytest.fixture
def database():
    database = Database()
    yield database
    database.close()


def race(limiters, policy, *, exact, threads=8, each=75):
    """Take from many threads at once; return how many were admitted."""
    start = threading.Barrier(threads)

    def take(number):
        limiter = limiters[number % len(limiters)]
        start.wait()
        taken = [limiter.take("raced", policy, exact=exact) for _ in range(each)]
        limiter._database.close()
        return sum(state.admitted for state in taken)

    with ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(take, range(threads)))


# So slow that nothing comes back while a test runs.
SLOW = Policy("slow", 0.01, 100)


def test_one_process_admits_exactly_the_limit(database):
    assert race([Limiter(database)], SLOW, exact=False) == 100


def test_eight_processes_admit_exactly_the_limit(database):
    limiters = [Limiter(Database()) for _ in range(8)]

    assert race(limiters, SLOW, exact=True) == 100


def test_leases_never_pass_the_limit():
    policy = Policy("leased", 80, 100)
    limiters = [Limiter(Database()) for _ in range(4)]

    began = time.monotonic()
    admitted = race(limiters, policy, exact=False, threads=4, each=60)
    took = time.monotonic() - began

    assert policy.lease == 5
    assert admitted <= 100 + took * policy.rate


def test_leases_fetched_ahead_never_pass_the_limit():
    policy = Policy("ahead", 80, 1000)
    limiters = [Limiter(Database()) for _ in range(4)]
    for limiter in limiters:
        limiter.start()

    began = time.monotonic()
    admitted = race(limiters, policy, exact=False, threads=8, each=200)
    took = time.monotonic() - began
    for limiter in limiters:
        limiter.stop()

    assert policy.lease == 20
    assert admitted <= 1000 + took * policy.rate


# Its leases are as large as they get.
FAST = Policy("fast", 10_000, 10_000)


def test_who_is_fast_finds_the_next_lease_there(database):
    limiter = Limiter(database)
    limiter.start()
    for _ in range(LARGEST_LEASE):
        assert limiter.take("fast", FAST).admitted

    bucket = limiter._buckets["fast"]
    eventually(lambda: bucket.next_tokens == LARGEST_LEASE)
    for _ in range(LARGEST_LEASE // 2):
        assert limiter.take("fast", FAST, may_wait=False).admitted
    limiter.stop()


def test_who_is_slow_has_none_fetched_that_would_be_lost(database):
    limiter = Limiter(database)
    limiter.start()
    for _ in range(LARGEST_LEASE // 2 - 1):
        limiter.take("slow", FAST)
    time.sleep(0.3)
    for _ in range(LARGEST_LEASE // 2 + 1):
        limiter.take("slow", FAST)
    limiter.stop()

    assert limiter._buckets["slow"].next_tokens == 0
    assert Bucket.objects.get(name="slow").granted == LARGEST_LEASE


def test_what_would_wait_takes_nothing(database):
    limiter = Limiter(database)
    with pytest.raises(WouldWait):
        limiter.take("w", FAST, may_wait=False)
    with pytest.raises(WouldWait):
        limiter.take("w", FAST, exact=True, may_wait=False)
    assert not Bucket.objects.filter(name="w")

    limiter.take("w", FAST)
    limiter.take("w", FAST, exact=True)
    for _ in range(LARGEST_LEASE - 1):
        assert limiter.take("w", FAST, may_wait=False).admitted
    with limiter._buckets["w"].lock, pytest.raises(WouldWait):
        limiter.take("w", FAST, may_wait=False)


def test_tokens_come_back_with_time(database):
    limiter = Limiter(database)
    policy = Policy("slow", 0.5, 1)

    assert limiter.take("q", policy).admitted
    refused = limiter.take("q", policy)
    assert not refused.admitted
    assert 0 < refused.wait <= 2
    time.sleep(refused.wait + 0.005)
    assert limiter.take("q", policy).admitted


def test_an_empty_bucket_is_remembered_without_asking_again(database):
    limiter = Limiter(database)
    policy = Policy("one", 0.01, 1)
    limiter.take("e", policy)
    limiter.take("e", policy)

    assert limiter.shut("e", policy)
    assert limiter.shut("never heard of", policy) is None


def test_a_lease_is_small():
    for limits in (RATE_LIMITS.sandbox, *RATE_LIMITS.live.values()):
        for policy in limits.values():
            assert 1 <= policy.lease <= min(LARGEST_LEASE, policy.burst / 10)


def test_an_unknown_tier_has_the_smallest_limits():
    assert RATE_LIMITS.of("live", "") == RATE_LIMITS.live["HIGH"]


class Away(Database):
    """A database that does not answer."""

    def connect(self):
        raise psycopg.OperationalError("away")


def test_reads_are_still_limited_while_the_database_is_away():
    limiter = Limiter(Away())
    policy = Policy("default", 0.01, 40)

    assert sum(limiter.take("x", policy).admitted for _ in range(60)) == 20  # half of the burst


def test_money_fails_closed_while_the_database_is_away():
    with pytest.raises(psycopg.OperationalError):
        Limiter(Away()).take("x", RATE_LIMITS.sandbox["financial"], exact=True)


def test_the_limit_is_said_in_headers_and_in_me(api):
    _, plain = world.a_key()

    reply = api.get("/sandbox/v1/me", plain)

    assert reply.headers["RateLimit-Policy"] == '"default";q=25;w=1, "endpoint";q=10;w=1'
    assert reply.headers["RateLimit"].startswith('"default";r=25;t=1, "endpoint";r=10;t=1')
    told = [limit["policy"] for limit in reply.json["limits"]]
    assert told == ["default", "endpoint", "financial", "quotes", "refusals", "concurrent"]
    assert all(limit["remaining"] <= limit["quota"] for limit in reply.json["limits"])


@pytest.fixture
def slow_api():
    """A gateway on which every client is too fast: one call in two seconds."""
    sandbox = {**RATE_LIMITS.sandbox, "endpoint": Policy("endpoint", 0.5, 1)}
    opened = Gateway(TABLE, replace(RATE_LIMITS, sandbox=sandbox))
    opened.open()
    yield Caller(opened)
    opened.close()


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


def test_full_buckets_are_forgotten(database):
    Limiter(database).take("old", Policy("quick", 20, 1))
    Bucket.objects.update(arrives=time.time() - 1000)
    Limiter(database).take("new", SLOW)

    housekeeping.forget_idle_buckets()

    assert list(Bucket.objects.values_list("name", flat=True)) == ["new"]
