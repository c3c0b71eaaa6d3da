"""GCRA: a burst of tokens, each of which refills in its time, and never one more."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from console.accounts import throttle
from console.accounts.limits import Rate
from console.accounts.models import Throttle
from console.core import gcra
from console.core.refusals import TooMany

BURST, COST = 3, 10.0
SQL = gcra.take_sql(
    "accounts_throttle", "%(now)s::float8", name="'a'", asked="%(asked)s", burst="3", cost="10"
)
NOW = 1_800_000_000.0


def take(at=0.0, *, asked=1):
    """Return what was granted, and how far ahead the bucket is after this many seconds."""
    with connection.cursor() as cursor:
        cursor.execute(SQL, {"now": NOW + at, "asked": asked})
        return cursor.fetchone()


def ahead(at=0.0):
    return Throttle.objects.get(name="a").arrives - NOW - at


def test_a_full_bucket_gives_its_burst_at_once_and_nothing_more():
    assert [take() for _ in range(4)] == [(1, 10.0), (1, 20.0), (1, 30.0), None]
    assert gcra.room(ahead(), BURST, COST) == 0
    assert gcra.wait(ahead(), BURST, COST) == 10


def test_a_token_comes_back_in_its_time_and_not_before():
    for _ in range(3):
        take()
    assert take(9.99) is None
    assert take(10) == (1, 30.0)
    assert take(19.99) is None
    assert take(20) == (1, 30.0)


def test_as_many_as_fit_are_granted():
    assert take(asked=2) == (2, 20.0)
    assert take(asked=2) == (1, 30.0)
    assert take(asked=2) is None
    assert take(20, asked=5) == (2, 30.0)


def test_a_bucket_never_holds_more_than_its_burst():
    take()
    assert [take(10_000) for _ in range(4)] == [(1, 10.0), (1, 20.0), (1, 30.0), None]


@pytest.mark.parametrize(
    ("seconds", "holds", "waits"), [(-5, 3, -25), (0, 3, -20), (20, 1, 0), (25, 0.5, 5)]
)
def test_room_and_wait_say_the_same_thing(seconds, holds, waits):
    assert gcra.room(seconds, BURST, COST) == holds
    assert gcra.wait(seconds, BURST, COST) == waits


def test_a_count_of_people_says_when_to_come_back():
    rate = Rate(tries=2, seconds=600)
    assert throttle.wait_for("tests", "x", rate) == 0
    throttle.take_for("tests", "x", rate)
    throttle.take_for("tests", "x", rate)
    with pytest.raises(TooMany) as refused:
        throttle.take_for("tests", "x", rate)
    assert 299 <= refused.value.retry_after <= 300
    throttle.forget("tests", "x")
    throttle.take_for("tests", "x", rate)


@pytest.mark.django_db(transaction=True)
def test_it_is_exact_at_any_concurrency():
    rate = Rate(tries=20, seconds=864_000)

    def tried(_):
        taken = 0
        try:
            for _ in range(10):
                throttle.take("tests", "raced", rate)
                taken += 1
        except TooMany:
            pass
        finally:
            connection.close()
        return taken

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(tried, range(8))) == 20
