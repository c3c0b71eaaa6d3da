"""The receiver's answers and their consequences: outcome, error message and next attempt."""

import asyncio
from datetime import timedelta

import pytest

from apikeys.webhooks.dispatcher import retries
from apikeys.webhooks.models import QueuedDelivery
from console.core import clock
from tests.apikeys.webhooks.dispatcher.conftest import (
    an_endpoint,
    be_due,
    ended,
    happen,
    tried,
)
from tests.apikeys.webhooks.dispatcher.receiver import OK, Heard, Receiver, says, sends
from tests.services import Services
from tests.waiting import eventually

pytestmark = pytest.mark.services
HEAD = b"HTTP/1.1 200 OK\r\n"


async def silent(heard: Heard, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(60)


async def dripping(heard: Heard, writer: asyncio.StreamWriter) -> None:
    writer.write(HEAD + b"Content-Length: 1000\r\n\r\n")
    while not writer.is_closing():
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.2)


async def slow_head(heard: Heard, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    while not writer.is_closing():
        writer.write(b"X-A: b\r\n")
        await writer.drain()
        await asyncio.sleep(0.2)


async def reset(heard: Heard, writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()


FAILURES = {
    "error": (says(500, b"oops"), 500, "http 500"),
    "not found": (says(404), 404, "http 404"),
    "too many": (says(429), 429, "http 429"),
    "redirect": (says(302, b"", "Location: http://169.254.169.254/"), 302, "redirect not followed"),
    "file": (says(307, b"", "Location: file:///etc/passwd"), 307, "redirect not followed"),
    "silent": (silent, None, "timeout after 2 s"),
    "slow head": (slow_head, None, "timeout after 2 s"),
    "reset": (reset, None, "connection"),
    "garbage": (sends(b"\x00\x01nonsense\r\n\r\n"), None, "not an http answer"),
    "old http": (sends(b"just words\r\n\r\n"), None, "not an http answer"),
    "headers": (sends(HEAD + b"A: b\r\n" * 100_000 + b"\r\n"), None, "not an http answer"),
    "long header": (
        sends(HEAD + b"A: " + b"b" * 65_536 + b"\r\n\r\n"), None, "not an http answer"
    ),
    "early": (sends(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 3), None, "connection"),
}  # fmt: skip
SUCCESSES = {
    "created": (says(201, b"{}"), "{}"),
    "nothing": (sends(b"HTTP/1.1 204 No Content\r\n\r\n"), ""),
    "dripping": (dripping, "x"),
    "cut": (sends(HEAD + b"Content-Length: 100\r\n\r\nhalf"), "half"),
    "endless": (sends(HEAD + b"\r\n" + b"y" * 10_000_000), "y" * 4096),
    "bomb": (
        sends(HEAD + b"Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b\x08\x00"),
        "\x1f",
    ),
    "script": (says(200, b"<script>\x1b[31m\x00\xff"), "<script>\x1b[31m\N{REPLACEMENT CHARACTER}"),
    "early": (sends(b"HTTP/1.1 103 Early Hints\r\n\r\n" + OK), "ok"),
}


def test_every_failure_has_its_words_and_is_tried_again(deliver: Services, receiver: Receiver):
    """All at once, with one endpoint for each."""
    business = None
    for number, (reply, _, _) in enumerate(FAILURES.values()):
        receiver.replies[f"/{number}"] = reply
        business = an_endpoint(receiver, f"/{number}", business=business).business
    assert business is not None
    before = clock.now()

    happen(business)
    tried(len(FAILURES))

    lanes = {one.url: one.lane for one in business.webhook_endpoints.select_related("lane")}
    for number, (name, (_, _, words)) in enumerate(FAILURES.items()):
        lane = lanes[receiver.url(f"/{number}")]
        assert lane.last_error.startswith(words), (name, lane.last_error)
        assert (lane.consecutive_failures, lane.in_flight) == (1, 0), name
        assert None not in (lane.last_failure_at, lane.failing_since)
        assert lane.last_success_at is None
        queued = QueuedDelivery.objects.get(endpoint=lane.endpoint)
        assert queued.attempts == 1
        assert queued.due_at > before + timedelta(seconds=4)
    statuses = sorted(str(one.status) for one in tried())
    assert statuses == sorted(str(status) for _, status, _ in FAILURES.values())
    assert all(len(one.excerpt) <= 4096 for one in tried())


def test_a_status_line_of_success_is_a_delivery(deliver: Services, receiver: Receiver):
    business = None
    for number, (reply, _) in enumerate(SUCCESSES.values()):
        receiver.replies[f"/{number}"] = reply
        business = an_endpoint(receiver, f"/{number}", business=business).business
    assert business is not None

    happen(business)
    ended(len(SUCCESSES))

    of = {one.endpoint.url: one.public_id for one in ended()}
    excerpts = {one.delivery_id: one.excerpt for one in tried(len(SUCCESSES))}
    for number, (name, (_, start)) in enumerate(SUCCESSES.items()):
        said = excerpts[of[receiver.url(f"/{number}")]]
        assert said.startswith(start), (name, said[:20])
        assert "\0" not in said
        assert len(said.encode()) <= 4096
    assert {one.status for one in ended()} == {"delivered"}
    lanes = [one.lane for one in business.webhook_endpoints.select_related("lane")]
    assert {(one.last_error, one.consecutive_failures, one.in_flight) for one in lanes} == {
        ("", 0, 0)
    }


@pytest.mark.parametrize(
    ("asked", "least", "most"),
    [
        ("3600", 3600, 3700),
        ("99999999999", 86_400, 86_500),
        ("-5", 3, 60),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 3, 60),
        ("soon", 3, 60),
        ("9" * 7000, 3, 60),
    ],
)
def test_a_receiver_may_ask_for_later(
    deliver: Services, receiver: Receiver, asked: str, least: int, most: int
):
    receiver.replies["/a"] = says(503, b"", f"Retry-After: {asked}")
    endpoint = an_endpoint(receiver, "/a")

    happen(endpoint.business)
    tried()

    waits = QueuedDelivery.objects.get().due_at - clock.now()
    assert timedelta(seconds=least - 60) < waits < timedelta(seconds=most)
    endpoint.lane.refresh_from_db()
    assert endpoint.lane.window == 2


def test_it_ends_after_the_attempts_of_its_environment(deliver: Services, receiver: Receiver):
    receiver.replies["/a"] = says(404)
    receiver.replies["/b"] = says(404)
    endpoint = an_endpoint(receiver, "/a")
    an_endpoint(receiver, "/b", business=endpoint.business, verified=False)

    happen(endpoint.business)
    for attempt in range(1, retries.MOST_SANDBOX + 1):
        tried(2 * attempt)
        be_due()

    assert [(one.status, one.attempts) for one in ended(2)] == [("exhausted", 6), ("exhausted", 6)]
    assert {one.headers["Service-Delivery-Id"] for one in receiver.of("/a")} == {
        ended()[0].public_id
    }
    assert len({one.body for one in receiver.heard}) == 1
    assert [one.headers["Service-Delivery-Attempt"] for one in receiver.of("/b")] == list("123456")


def test_what_is_gone_gets_nothing_more_and_loses_nothing(deliver: Services, receiver: Receiver):
    """The dispatcher stops at once; a job notifies the business within a minute."""
    receiver.replies["/a"] = says(410)
    endpoint = an_endpoint(receiver, "/a")
    happen(endpoint.business)
    tried()
    eventually(lambda: type(endpoint.lane).objects.get(endpoint=endpoint).halted == "gone")

    happen(endpoint.business, 3, resource="other")
    be_due()

    other = an_endpoint(receiver, "/b", business=endpoint.business)
    happen(other.business, resource="last")
    ended()
    assert len(receiver.of("/a")) == 1
    assert QueuedDelivery.objects.filter(endpoint=endpoint).count() == 5
