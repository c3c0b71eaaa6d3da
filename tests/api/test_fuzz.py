"""Whatever is sent, the gateway answers, and it is never our fault."""

import os
from time import perf_counter

from hypothesis import HealthCheck, settings
from hypothesis import given as over
from hypothesis import strategies as st

from api.gateway.problems import CODES
from tests.api.calling import Caller
from tests.apikeys import world
from tests.proofs import Proven, proof

ANY = st.text(max_size=60)
HEADERS = st.sampled_from(
    [
        "HTTP_AUTHORIZATION",
        "HTTP_HOST",
        "HTTP_SERVICE_VERSION",
        "HTTP_IDEMPOTENCY_KEY",
        "HTTP_X_FORWARDED_FOR",
        "HTTP_USER_AGENT",
        "CONTENT_TYPE",
        "CONTENT_LENGTH",
        "REMOTE_ADDR",
        "HTTP_ACCEPT",
    ]
)
NAMES = st.sampled_from(["currency", "limit", "cursor", "x"])
METHODS = st.sampled_from(["GET", "GET", "GET", "POST", "HEAD", "OPTIONS", "DELETE", "\x00"])
PATHS = st.sampled_from(["/sandbox/v1/me", "/sandbox/v1/balances", "/v1/me", "/v1"]) | ANY
SLOWEST_MS = 2000


@proof("R3", "malformed input at the API", small=150, full=100_000)
def test_nothing_that_is_sent_is_our_fault(api: Caller, proven: Proven):
    _, plain = world.a_key()
    sent = broken = 0
    slowest = 0.0

    @over(
        method=METHODS,
        path=PATHS,
        query=ANY | st.builds("{}={}".format, NAMES, ANY),
        headers=st.dictionaries(HEADERS, ANY, max_size=4),
        body=st.binary(max_size=50),
        signed=st.booleans(),
    )
    @settings(
        max_examples=proven.size,
        deadline=SLOWEST_MS,
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    def send(method, path, query, headers, body, signed):
        nonlocal sent, broken, slowest
        sent += 1
        # From ever new addresses, so that most requests get past the count of failures.
        net = os.urandom(4).hex()
        api.ip = f"2001:db8:{net[:4]}:{net[4:]}::1"

        began = perf_counter()
        reply = api.call(method, path, plain if signed else "", query, body, **headers)
        slowest = max(slowest, perf_counter() - began)
        broken += reply.status >= 500

        assert reply.status < 500
        assert reply.headers["X-Request-Id"]
        if reply.status >= 400 and method != "HEAD":
            assert reply.code in CODES
            assert reply.json["status"] == reply.status

    send()
    figure = f"{sent:,} inputs, {broken} of them our fault, the slowest took {slowest:.2f} s"
    good = not broken and slowest * 1000 < SLOWEST_MS
    proven.reached(figure, met=good and sent >= proven.size)
