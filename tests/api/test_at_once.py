"""What waits for nothing is answered on the event loop; the rest goes on in a thread, from there.

That nothing asks a database on the loop is what `Caller` watches in every test.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from api.gateway.gateway import Gateway
from api.v1.operations import TABLE
from benchmarks.unlimited import UNLIMITED
from console.server.responses import RawResponse
from tests.api.calling import Caller
from tests.apikeys import world
from tests.waiting import eventually

ME, BALANCES = "/sandbox/v1/me", "/sandbox/v1/balances"


@pytest.fixture
def warm() -> Iterator[tuple[Caller, str]]:
    """A gateway that knows the key, and has places and tokens at hand."""
    _, plain = world.a_key()
    gateway = Gateway(TABLE, UNLIMITED)
    gateway.open()
    api = Caller(gateway)
    eventually(lambda: api.get(ME, plain).at_once)
    yield api, plain
    gateway.close()


def test_a_first_call_has_to_wait_and_the_next_does_not(api):
    _, plain = world.a_key()
    assert not api.get(ME, plain).at_once
    assert api.get(ME, plain).status == 200


def test_reads_from_memory_and_refusals_are_answered_at_once(warm):
    api, plain = warm
    assert api.get(ME, plain).at_once
    _, unscoped = world.a_key(scopes=("payouts:read",))
    api.get(ME, unscoped)
    for path, key, status in (
        (ME, "", 401),
        (ME, f"{plain[:-1]}x", 401),
        (ME, unscoped, 403),
        ("/sandbox/v1/nothing", plain, 404),
        ("/v1/me", plain, 403),
    ):
        api.get(path, key)
        reply = api.get(path, key)
        assert (reply.status, reply.at_once) == (status, True), (path, status)


def test_what_asks_the_database_gets_a_thread(warm):
    api, plain = warm
    assert not api.get(BALANCES, plain).at_once
    assert not api.call("POST", "/sandbox/v1/payouts", plain, body=b"{}").at_once
    assert not api.get(ME, plain, HTTP_SERVICE_SIGNATURE="t=1,n=12345678,v1=" + "0" * 64).at_once


def test_a_call_that_goes_on_in_a_thread_passes_each_check_once(warm, monkeypatch):
    api, plain = warm
    limiter, taken = api.gateway.limiter, Counter[str]()
    take = limiter.take

    def counted(name: str, *rest: Any, **more: Any) -> Any:
        state = take(name, *rest, **more)
        taken[name.partition(":")[0]] += 1
        return state

    monkeypatch.setattr(limiter, "take", counted)
    # Nothing of this bucket is held: the call comes to it on the loop, and takes it in a thread.
    reply = api.get(BALANCES, plain)
    assert (reply.status, reply.at_once) == (200, False)
    assert taken == {"default": 1, "balances.list": 1}


def test_a_call_that_finds_no_thread_holds_no_place(warm):
    api, plain = warm
    api.get(BALANCES, plain)
    environ = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": BALANCES,
        "HTTP_HOST": "localhost",
        "REMOTE_ADDR": api.ip,
        "HTTP_AUTHORIZATION": f"Bearer {plain}",
    }
    assert not isinstance(api.gateway.begin(environ), RawResponse)
    assert in_use(api) == [0]


def in_use(api: Caller) -> list[int]:
    return [share.in_use for share in api.gateway.concurrency._shares.values()]


def test_places_are_given_back_wherever_a_call_was_answered(warm):
    api, plain = warm
    for path in (ME, BALANCES, "/sandbox/v1/nothing"):
        api.get(path, plain)
    assert in_use(api) == [0]
