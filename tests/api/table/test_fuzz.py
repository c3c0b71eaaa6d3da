"""Whatever is sent, the API answers, and never with a server error."""

import json
import os
from time import perf_counter

from hypothesis import HealthCheck, settings
from hypothesis import given as over
from hypothesis import strategies as st

from api.problems import CODES
from api.v1.router import OPERATIONS
from tests.api.calling import Caller
from tests.api.paying import ACCOUNT, a_payer, body_of
from tests.proofs import Proven, is_full, proof

ANY = st.text(max_size=60)
# A WSGI server passes on the bytes of the request as Latin-1 text (PEP 3333).
RECEIVED = ANY.map(lambda text: text.encode().decode("latin-1"))
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
        "HTTP_SERVICE_SIGNATURE",
    ]
)
NAMES = st.sampled_from(["currency", "limit", "cursor", "x"])
METHODS = st.sampled_from(["GET", "GET", "GET", "POST", "HEAD", "OPTIONS", "DELETE", "\x00"])
ROWS = [row.path.replace("{id}", "pay_1") for row in OPERATIONS]
PATHS = (
    st.sampled_from([f"{root}{path}" for root in ("/sandbox/v1", "/v1") for path in ROWS])
    | st.sampled_from(["/sandbox/v1/payouts", "/v1"])
    | st.builds("{}/{}".format, st.sampled_from(["/sandbox/v1", "/v1"]), RECEIVED)
)
# Any JSON, or a valid body with some fields changed.
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY, inner, max_size=3),
    max_leaves=8,
)
MEMBERS = st.sampled_from(["amount", "currency", "bank_account", "reference", "metadata", "more"])
BODIES = (
    st.binary(max_size=50)
    | JSON.map(lambda body: json.dumps(body).encode())
    | st.dictionaries(MEMBERS, JSON | st.sampled_from(["1.00", "NGN", ACCOUNT]), max_size=3).map(
        lambda change: json.dumps(body_of("1.00") | change).encode()
    )
)
SLOWEST_MS = 2000


@proof("R3", "malformed input at the API", small=60, full=100_000)
def test_nothing_that_is_sent_is_our_fault(api: Caller, proven: Proven):
    plain = a_payer()
    sent = broken = 0
    slowest = 0.0

    @over(
        method=METHODS,
        path=PATHS,
        query=RECEIVED | st.builds("{}={}".format, NAMES, RECEIVED),
        headers=st.dictionaries(HEADERS, RECEIVED, max_size=4),
        body=BODIES,
        of_json=st.booleans(),
        signed=st.booleans(),
    )
    @settings(
        max_examples=proven.size,
        deadline=SLOWEST_MS if is_full() else None,
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    def send(method, path, query, headers, body, of_json, signed):
        nonlocal sent, broken, slowest
        sent += 1
        # From new addresses, so that most requests are not blocked by the failure limit.
        net = os.urandom(4).hex()
        api.ip = f"2001:db8:{net[:4]}:{net[4:]}::1"

        if of_json:
            key = {"HTTP_IDEMPOTENCY_KEY": f"fuzzed-{net}", "CONTENT_TYPE": "application/json"}
            headers = key | headers
        began = perf_counter()
        reply = api.call(method, path, plain if signed else "", query, body, **headers)
        slowest = max(slowest, perf_counter() - began)
        broken += reply.status >= 500

        assert reply.status < 500
        assert reply.headers["X-Request-Id"]
        if reply.status >= 400 and method != "HEAD":
            assert reply.code in CODES
            assert reply.json.get("status", reply.status) == reply.status

    send()
    figure = f"{sent:,} inputs, {broken} of them our fault, the slowest took {slowest:.2f} s"
    in_time = slowest * 1000 < SLOWEST_MS or not is_full()
    good = not broken and in_time
    proven.reached(figure, met=good and sent >= proven.size)
