"""A business with too many calls in flight is told so, and let in again once one is answered."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from api.gateway.calls import ApiAnswer
from api.gateway.gateway import Gateway
from api.gateway.operations import Operation, Table
from api.gateway.rate_limits import RATE_LIMITS
from api.v1 import shapes
from benchmarks.unlimited import UNLIMITED
from tests.api.calling import Caller
from tests.apikeys import world
from tests.waiting import PATIENCE

SANDBOX = RATE_LIMITS.concurrent["sandbox"].most


@pytest.fixture
def waiting():
    """A gateway whose one operation answers when it is told to."""
    answer, arrived = threading.Event(), threading.Semaphore(0)

    def wait(call):
        arrived.release()
        assert answer.wait(PATIENCE)
        return ApiAnswer({"admission": call.path})

    row = Operation(
        "test.wait", "GET", "/wait", "balances", "balances:read", wait, shapes.ApiContext
    )
    opened = Gateway(Table([row]), replace(UNLIMITED, concurrent=RATE_LIMITS.concurrent))
    opened.open()
    yield opened, answer, arrived
    answer.set()
    opened.close()


def test_a_call_beyond_the_limit_is_refused_until_one_is_answered(waiting):
    gateway, answer, arrived = waiting
    _, plain = world.a_key()

    def call(_=None):
        reply = Caller(gateway).get("/sandbox/v1/wait", plain)
        gateway.database.close()
        return reply

    with ThreadPoolExecutor(SANDBOX) as pool:
        inside = [pool.submit(call) for _ in range(SANDBOX)]
        for _ in inside:
            assert arrived.acquire(timeout=PATIENCE)
        refused = call()
        answer.set()
        answered = [one.result().status for one in inside]

    assert answered == [200] * SANDBOX
    assert (refused.status, refused.code) == (429, "RATE_LIMITED")
    assert refused.json["violated-policies"] == ["concurrent"]
    assert int(refused.headers["Retry-After"]) >= 1
    assert '"concurrent";q=10;qu="concurrent-requests"' in refused.headers["RateLimit-Policy"]
    assert call().status == 200


def test_a_call_that_fails_is_answered_too(api, waiting):
    gateway, *_ = waiting
    _, plain = world.a_key()
    operation = gateway.table.operations[0]
    object.__setattr__(operation, "function", lambda call: 1 / 0)

    codes = {Caller(gateway).get("/sandbox/v1/wait", plain).code for _ in range(SANDBOX * 2)}

    assert codes == {"INTERNAL_ERROR"}
