"""Send one delivery: sign it at the last moment, with bounded time and response size."""

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

# Maximum bytes of a response that are read, and that are stored.
_READ = 16 * 1024
_KEPT = 4 * 1024
# Statuses of receivers that do not have the new secret yet.
_UNSIGNED = frozenset({400, 401, 403})
_ACCEPT = aiohttp.hdrs.ACCEPT


class Clock:
    """The database's time, carried on by the monotonic clock, unaffected by host clock changes."""

    def __init__(self) -> None:
        self._ahead = time.time() - time.monotonic()

    def set(self, database_now: float) -> None:
        """Set the database's current time, in seconds since 1970."""
        self._ahead = database_now - time.monotonic()

    def now(self) -> float:
        return time.monotonic() + self._ahead


class Sender:
    """Send deliveries over kept-alive connections. One instance per process."""

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
        """Send a delivery within the timeout and return its outcome.

        While two secrets are valid, a receiver that refuses the new one is sent the same attempt
        once more, signed with the previous one.
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
        # The receiver may cause any exception; the delivery must still be settled.
        except Exception as error:  # noqa: BLE001
            if answer.status is None:
                answer.error = failures.of_exception(error, self.seconds)
                answer.timed_out = isinstance(error, TimeoutError)
        if answer.error == failures.NOT_ALLOWED:
            return answer  # no durations: they would reveal what exists at the address
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
    """Read at most _READ bytes; close the connection if there is more or the read fails."""
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
    """Return the start of a response as text that PostgreSQL accepts: at most 4 KiB, no NUL."""
    text = body[:_KEPT].decode("utf-8", "replace").replace("\0", "\N{REPLACEMENT CHARACTER}")
    # A replacement character takes three bytes, so cut again.
    return text.encode()[:_KEPT].decode("utf-8", "ignore")


@lru_cache(maxsize=4096)
def opened(sealed: bytes, endpoint_id: str) -> str:
    """Return a decrypted signing secret, cached by its ciphertext."""
    return webhook_secrets.open_(sealed, endpoint_id)


def _microseconds(begun: float, at: float | None) -> int | None:
    return None if at is None else max(0, int((at - begun) * 1_000_000))
