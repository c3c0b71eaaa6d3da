"""Send one delivery: sign it when it goes out, read little, hold its place for a bounded time."""

import time
from functools import lru_cache, partial
from typing import Any

import aiohttp
from django.conf import settings

from apikeys.webhooks import delivery_headers, delivery_signatures, webhook_secrets
from apikeys.webhooks.dispatcher import failures, retries
from apikeys.webhooks.dispatcher.connections import CONNECT_SECONDS, GuardedConnector, Marks, marks
from apikeys.webhooks.dispatcher.records import Claimed, ReceiverAnswer
from apikeys.webhooks.lifecycle import DeliveryKind

# Of an answer, so much is read and so much is kept.
_READ = 16 * 1024
_KEPT = 4 * 1024
# A receiver that has not taken a new secret says so with one of these.
_UNSIGNED = frozenset({400, 401, 403})
_ACCEPT = aiohttp.hdrs.ACCEPT


class Clock:
    """The database's time, carried on by our own steady clock: a jump of this host changes none."""

    def __init__(self) -> None:
        self._ahead = time.time() - time.monotonic()

    def set(self, database_now: float) -> None:
        """Take over what the database said just now, in seconds since 1970."""
        self._ahead = database_now - time.monotonic()

    def now(self) -> float:
        return time.monotonic() + self._ahead


class Sender:
    """Sends deliveries over connections that are kept. One for the whole process."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.seconds = float(settings.WEBHOOK_TIMEOUT_SECONDS)
        self._whole = _timeout(self.seconds)
        self._constant = delivery_headers.constant()
        self._session = aiohttp.ClientSession(
            connector=GuardedConnector(),
            cookie_jar=aiohttp.DummyCookieJar(),
            skip_auto_headers=[_ACCEPT],
            auto_decompress=False,
            trust_env=False,
        )

    async def close(self) -> None:
        await self._session.close()

    async def send(self, claimed: Claimed) -> ReceiverAnswer:
        """Send a delivery, and return what came of it. It ends within the time that is allowed.

        While two secrets count, a receiver that refuses the new one is asked once more with the
        previous one: the same attempt.
        """
        begun = time.perf_counter()
        sealed = [claimed.endpoint.secret]
        if claimed.previous_secret is not None:
            sealed.append(claimed.previous_secret)
        secrets = [opened(bytes(one), claimed.endpoint.public_id) for one in sealed]
        answer = await self._ask(claimed, secrets, 0, self._whole)
        left = self.seconds - (time.perf_counter() - begun)
        if len(secrets) > 1 and answer.status in _UNSIGNED and left > 0:
            again = await self._ask(claimed, secrets, 1, _timeout(left))
            if again.accepted:
                again.signed_with, again.at = "previous", answer.at
                return again
        return answer

    async def _ask(
        self, claimed: Claimed, secrets: list[str], signer: int, within: aiohttp.ClientTimeout
    ) -> ReceiverAnswer:
        answer = ReceiverAnswer(at=self.clock.now())
        mark = Marks(sign=partial(self._sign, claimed, secrets, signer))
        marks.set(mark)
        begun = time.perf_counter()
        try:
            await self._exchange(claimed, answer, begun, within)
        # Whatever a stranger's server makes the client raise, the delivery goes on to its end.
        except Exception as error:  # noqa: BLE001
            if answer.status is None:
                answer.error = failures.of_exception(error, self.seconds)
                answer.timed_out = isinstance(error, TimeoutError)
        if answer.error == failures.NOT_ALLOWED:
            return answer  # no time: how long it took would tell what is there
        answer.total_us = _microseconds(begun, time.perf_counter())
        answer.dns_us = _microseconds(begun, mark.named_at)
        if mark.opened_at is not None:
            answer.connect_us = _microseconds(begun, mark.connected_at)
        return answer

    async def _exchange(
        self, claimed: Claimed, answer: ReceiverAnswer, begun: float, within: aiohttp.ClientTimeout
    ) -> None:
        async with self._session.post(
            claimed.endpoint.url,
            data=claimed.body,
            headers=self._headers(claimed),
            allow_redirects=False,
            timeout=within,
        ) as response:
            answer.first_byte_us = _microseconds(begun, time.perf_counter())
            answer.status = response.status
            if not answer.accepted:
                answer.error = failures.of_status(response.status)
                if response.status in (429, 503):
                    answer.retry_after = retries.asked_to_wait(
                        response.headers.get("Retry-After"), self.clock.now()
                    )
            await _read(response, answer)

    def _headers(self, claimed: Claimed) -> dict[str, str]:
        headers = self._constant | {
            "Service-Event-Id": claimed.queued.event_id,
            "Service-Event-Type": claimed.event_kind,
            "Service-Delivery-Id": claimed.queued.public_id,
            "Service-Delivery-Attempt": str(claimed.queued.attempts),
        }
        if claimed.queued.kind == DeliveryKind.REPLAY:
            headers["Service-Delivery-Replay"] = "true"
        return headers

    def _sign(self, claimed: Claimed, secrets: list[str], signer: int, headers: Any) -> None:
        now, body = int(self.clock.now()), claimed.body or b""
        event_id = claimed.queued.event_id
        headers[delivery_signatures.HEADER] = delivery_signatures.service_signature(
            secrets[signer], now, body
        )
        headers["webhook-id"] = event_id
        headers["webhook-timestamp"] = str(now)
        headers["webhook-signature"] = delivery_signatures.standard_signature(
            secrets, event_id, now, body
        )


def _timeout(seconds: float) -> aiohttp.ClientTimeout:
    return aiohttp.ClientTimeout(total=seconds, sock_connect=CONNECT_SECONDS, ceil_threshold=3600)


async def _read(response: aiohttp.ClientResponse, answer: ReceiverAnswer) -> None:
    """Read at most _READ bytes. Whoever sends more, or no end, loses the connection."""
    parts, size = [], 0
    try:
        while size < _READ:
            part = await response.content.read(_READ - size)
            if not part:
                return
            parts.append(part)
            size += len(part)
            if response.content.at_eof():
                return
        response.close()
    except BaseException:
        response.close()
        raise
    finally:
        if parts:
            answer.excerpt = excerpt(b"".join(parts))


def excerpt(body: bytes) -> str:
    """Return the start of an answer as text that the database takes: at most 4 KiB, no NUL."""
    text = body[:_KEPT].decode("utf-8", "replace").replace("\0", "\N{REPLACEMENT CHARACTER}")
    # A replaced byte becomes three.
    return text.encode()[:_KEPT].decode("utf-8", "ignore")


@lru_cache(maxsize=4096)
def opened(sealed: bytes, endpoint_id: str) -> str:
    """Return a signing secret. What is sealed anew is another key of this memory."""
    return webhook_secrets.open_(sealed, endpoint_id)


def _microseconds(begun: float, at: float | None) -> int | None:
    return None if at is None else max(0, int((at - begun) * 1_000_000))
