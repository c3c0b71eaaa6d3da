"""Headers of every API response."""

import pytest

from api.v1.router import OPERATIONS
from console.shell.headers import NOTHING
from tests.apikeys import world
from tests.proofs import Proven, proof

ALWAYS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": NOTHING,
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


@proof("R11", "headers of the API", asked="100 % of answers with every header, no cookie")
def test_every_answer_carries_every_header(api, proven: Proven):
    _, plain = world.a_key()
    operations = [f"/sandbox/v1{row.path}" for row in OPERATIONS]
    replies = [api.call("GET", path, plain) for path in operations]
    replies += [
        api.call(method, path, key, **more)
        for path in ("/v1/me", "/sandbox/v1/payouts", "/v1", "/v1/nothing")
        for method in ("GET", "POST", "HEAD")
        for key in ("", plain)
        for more in ({}, {"HTTP_HOST": "evil.example"}, {"CONTENT_LENGTH": "9999999"})
    ]

    whole = [r for r in replies if ALWAYS.items() <= r.headers.items()]
    cookies = [r for r in replies if "Set-Cookie" in r.headers]
    proven.reached(
        f"{len(whole)} of {len(replies)} answers", met=len(whole) == len(replies) and not cookies
    )


@pytest.mark.parametrize("path", ["/sandbox/v1/me", "/sandbox/v1/balances"])
def test_limits_are_in_every_proven_answer(api, path):
    _, plain = world.a_key()
    _, narrow = world.a_key(scopes=("webhooks:read",))

    for key in (plain, narrow):
        reply = api.get(path, key)
        assert reply.headers["RateLimit-Policy"].startswith('"default";q=25;w=1')
        assert reply.headers["RateLimit"].startswith('"default";r=')
    assert "RateLimit" not in api.get(path).headers


def test_every_answer_of_the_sandbox_says_that_it_is_one(api):
    _, plain = world.a_key()
    paths = ("/sandbox/v1/me", "/sandbox/v1/nothing", "/v1/me")
    said = [api.get(path, plain).headers.get("Simulated") for path in paths]
    assert said == ["true", "true", None]


def test_a_body_in_chunks_is_refused_and_not_taken_for_empty(api):
    _, plain = world.a_key()
    reply = api.call("POST", "/sandbox/v1/customers", plain, HTTP_TRANSFER_ENCODING="chunked")
    assert reply.status == 400
    assert reply.json["errors"][0]["pointer"] == "/headers/Transfer-Encoding"
