"""Calls in flight: never above the limit over all processes, and given back by who dies."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from django.db import connection
from django.db.models import F

from api.gateway import concurrency, housekeeping
from api.gateway.concurrency import ConcurrencyLimiter
from api.gateway.database import Database
from api.gateway.models import ConcurrencyBucket, GatewayProcess
from api.gateway.rate_limits import ConcurrencyPolicy
from tests.guards.tree import ROOT
from tests.proofs import Proven, proof
from tests.waiting import eventually

TEN = ConcurrencyPolicy(10)


@pytest.fixture
def limiters() -> Iterator[list[ConcurrencyLimiter]]:
    """Four processes that hear of each other as the listener lets them."""
    made = [ConcurrencyLimiter(Database()) for _ in range(4)]
    stopping = threading.Event()

    def listen():
        with made[0]._database.connect() as listening:
            listening.execute(f"LISTEN {concurrency.CHANNEL}")
            hears.set()
            while not stopping.is_set():
                for notice in listening.notifies(timeout=0.1):
                    for limiter in made:
                        limiter.give_back_soon(notice.payload)

    hears = threading.Event()
    ears = threading.Thread(target=listen)
    ears.start()
    hears.wait()
    for limiter in made:
        limiter.start()
    yield made
    stopping.set()
    ears.join()
    for limiter in made:
        limiter.stop()
        limiter._database.close()


def held(name="raced") -> dict[str, int]:
    """Return what the database says that each process holds."""
    row = ConcurrencyBucket.objects.filter(name=name).first()
    return row.shares if row else {}


def test_a_process_admits_exactly_the_limit(limiters):
    limiter = limiters[0]

    inside = [limiter.enter("raced", TEN, exact=False) for _ in range(12)]

    assert [share is not None for share in inside] == [True] * 10 + [False] * 2
    inside[0].leave()
    assert limiter.enter("raced", TEN, exact=False)
    assert limiter.in_use("raced") == 10


def test_processes_together_admit_exactly_the_limit(limiters):
    inside = [limiters[n % 4].enter("raced", TEN, exact=n % 2 == 0) for n in range(16)]

    assert sum(share is not None for share in inside) == 10


def test_places_that_one_process_has_stopped_using_are_anothers(limiters):
    one, other, *_ = limiters
    for share in [one.enter("raced", TEN, exact=False) for _ in range(10)]:
        share.leave()

    assert sum(held().values()) == 10
    # The other finds nothing free, says so, and gets what the first no longer uses.
    for _ in range(10):
        eventually(lambda: other.enter("raced", TEN, exact=False))
    assert other.enter("raced", TEN, exact=False) is None


@proof("R6", "calls in flight", small=150, full=5_000, asked="never above the limit")
def test_calls_in_flight_are_never_above_the_limit(limiters, proven: Proven):
    """Threads of four processes enter and leave; what is inside is counted by the test itself."""
    counting = threading.Lock()
    inside = most = entered = 0

    def work(number):
        nonlocal inside, most, entered
        limiter = limiters[number % 4]
        for _ in range(proven.size):
            share = limiter.enter("raced", TEN, exact=False)
            if share is None:
                continue
            with counting:
                inside += 1
                entered += 1
                most = max(most, inside)
            # So long that all threads would be inside at once, were they let in.
            time.sleep(0.002)
            with counting:
                inside -= 1
            share.leave()
        limiter._database.close()

    threads = 16
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, range(threads)))
    figure = f"{entered:,} calls of {threads} threads, {most} at once of {TEN.most}"
    proven.reached(figure, met=entered > 0 and most <= TEN.most)


def test_who_is_far_below_the_limit_asks_nobody(limiters, monkeypatch):
    limiter = limiters[0]
    limiter.enter("raced", TEN, exact=False).leave()
    monkeypatch.setattr(limiter, "_ask", lambda *_: pytest.fail("It asked the database."))

    for _ in range(100):
        limiter.enter("raced", TEN, exact=False).leave()


def test_idle_places_go_back(limiters):
    limiter = limiters[0]
    limiter.enter("raced", TEN, exact=False).leave()
    assert sum(held().values()) == 2

    # Used since the last look, then not.
    limiter._give_back_idle()
    limiter._give_back_idle()

    assert sum(held().values()) == 0
    assert limiter._shares == {}
    assert limiter.enter("raced", TEN, exact=False)


def test_a_process_that_stops_gives_back_at_once(limiters):
    one, other, *_ = limiters
    for _ in range(10):
        one.enter("raced", TEN, exact=False)
    one.stop()

    assert other.enter("raced", TEN, exact=False)
    assert other.enter("raced", TEN, exact=False)


KILLED = """
import sys, django
django.setup()
from django.db import connection
connection.settings_dict["USER"], connection.settings_dict["NAME"] = "site", sys.argv[1]
from api.gateway.concurrency import ConcurrencyLimiter
from api.gateway.database import Database
from api.gateway.rate_limits import ConcurrencyPolicy
limiter = ConcurrencyLimiter(Database())
limiter.start()
inside = [limiter.enter("raced", ConcurrencyPolicy(10), exact=False) for _ in range(10)]
print(sum(share is not None for share in inside), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def killable():
    name = connection.settings_dict["NAME"]
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, name],
        cwd=ROOT, env=dict(os.environ), text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    with process:
        yield process
        process.kill()


def test_a_killed_process_gives_its_share_back_within_30_seconds(limiters, killable):
    assert killable.stdout.readline() == "10\n"
    assert limiters[0].enter("raced", TEN, exact=False) is None

    killable.send_signal(signal.SIGKILL)
    killable.wait()

    # The database believes in it for a while. 30 seconds pass, and no one tells it otherwise.
    assert limiters[0].enter("raced", TEN, exact=False) is None
    others = [limiter._process for limiter in limiters]
    dead = GatewayProcess.objects.exclude(pk__in=others)
    assert dead.update(alive_until=F("alive_until") - 30) == 1
    eventually(lambda: limiters[0].enter("raced", TEN, exact=False))


def test_a_process_that_was_thought_dead_takes_its_calls_along(limiters):
    """What it has in flight counts again from its next call on, under a new name."""
    one, other, *_ = limiters
    for _ in range(4):
        one.enter("raced", TEN, exact=False)
    GatewayProcess.objects.update(alive_until=0)
    first = [other.enter("raced", TEN, exact=False) for _ in range(3)]
    assert all(first)

    one._live_on()
    assert one._alive_until == 0
    assert one.enter("raced", TEN, exact=False)
    assert held()[one._process] >= 5
    inside = [other.enter("raced", TEN, exact=False) for _ in range(5)]
    assert one.in_use("raced") + 3 + sum(share is not None for share in inside) <= 10


class Away(Database):
    def connect(self):
        raise psycopg.OperationalError("away")


def test_without_the_database_reads_have_half_of_it_and_money_nothing():
    limiter = ConcurrencyLimiter(Away())

    inside = [limiter.enter("raced", TEN, exact=False) for _ in range(8)]

    assert sum(share is not None for share in inside) == 5
    with pytest.raises(psycopg.OperationalError):
        limiter.enter("raced", TEN, exact=True)


def test_what_is_empty_and_long_dead_is_forgotten(limiters):
    limiters[0].enter("full", TEN, exact=False)
    limiters[1].enter("empty", TEN, exact=False).leave()
    limiters[1]._give_back_idle()
    limiters[1]._give_back_idle()
    limiters[2].enter("dead", TEN, exact=False)
    GatewayProcess.objects.filter(pk=limiters[2]._process).update(alive_until=0)
    ConcurrencyBucket.objects.update(at=0)

    housekeeping.forget_ended_processes()

    assert [one.name for one in ConcurrencyBucket.objects.all()] == ["full"]
    alive = {limiters[0]._process, limiters[1]._process}
    assert {one.id for one in GatewayProcess.objects.all()} == alive
