"""What the server says itself, before any application or after one has failed (R11)."""

import asyncio

import pytest

from console.shell import headers
from tests.proofs import Proven, proof
from tests.server.test_mounts import Application, Client, running
from tests.server.wire import Heard, head, said
from tests.services import Services

EXPECTED = {**headers.ALWAYS, "Content-Security-Policy": headers.NOTHING}
EXPECTED |= {"Cache-Control": "no-store"}
NO_HOST = b"GET / HTTP/1.1\r\n\r\n"
ASKED = {
    "no host": (NO_HOST, 400),
    "no HTTP": (b"nonsense\r\n\r\n", 400),
    "large": (head("GET", "/", f"X-A: {'a' * 70_000}"), 431),
    "many": (head("GET", "/", *["X-A: a"] * 200), 431),
}


def lacking(heard: Heard) -> list[str]:
    """Return the headers that an answer lacks, or has another value of."""
    return [name for name, value in EXPECTED.items() if heard.headers.get(name.lower()) != value]


@pytest.mark.services
@proof("R11", "headers of the server's own answers", asked="every header on each")
def test_every_answer_of_the_server_carries_every_header(web: Services, proven: Proven) -> None:
    answers = {name: (said(web.port, data), status) for name, (data, status) in ASKED.items()}
    for name, (heard, status) in answers.items():
        assert heard.status == status, name
    whole = [name for name, (heard, _) in answers.items() if not lacking(heard)]
    proven.reached(f"{len(whole)} of {len(answers)} answers", met=len(whole) == len(answers))


def test_an_application_that_raises_is_answered_for() -> None:
    found: list[Heard] = []

    async def test(client: Client) -> None:
        broken = head("GET", "/broken/")
        found.append(await asyncio.to_thread(said, client.port, broken))
        found.append(await asyncio.to_thread(said, client.port, NO_HOST))

    running(test, Application(), always=headers.of_every_answer())
    assert [heard.status for heard in found] == [500, 400]
    assert [lacking(heard) for heard in found] == [[], []]


def test_https_is_remembered(settings) -> None:
    assert b"Strict-Transport-Security" not in headers.of_every_answer()
    settings.SECURE_HSTS_SECONDS = 63_072_000
    line = b"Strict-Transport-Security: max-age=63072000; includeSubDomains; preload\r\n"
    assert line in headers.of_every_answer()
