"""Receives the bodies of requests, on the event loop, within limits of time and size."""

import asyncio
from collections.abc import Awaitable, Callable
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from console.server.unserved import Busy, CutShort, Stopping, TooLarge, TooSlow

Receive = Callable[[], Awaitable[dict[str, Any]]]

SILENCE = 10.0
WHOLE = 120.0
_IN_MEMORY = 64 * 1024
# All that lies here at one moment, received and being received.
_MOST_KEPT = 1024**3


class BodyReceiver:
    """Receives every body of one process, so that it can end them all."""

    def __init__(self, *, silence: float = SILENCE, whole: float = WHOLE) -> None:
        self._silence = silence
        self._whole = whole
        self._clocks: set[asyncio.Timeout] = set()
        self._kept = 0
        self._stopping = False

    async def receive(self, receive: Receive, largest: int) -> IO[bytes]:
        """Return the whole body; give it to `release` afterwards. Raises Unserved."""
        if self._stopping:
            raise Stopping
        # A body of one packet never touches a disk.
        body: IO[bytes] = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115
        try:
            await self._fill(body, receive, largest)
        except BaseException:
            self.release(body)
            raise
        return body

    def release(self, body: IO[bytes]) -> None:
        """Forget a body."""
        if not body.closed:
            self._kept -= body.seek(0, 2)
            body.close()

    def stop(self) -> None:
        """End what is being received, and take no more."""
        self._stopping = True
        for clock in self._clocks:
            clock.reschedule(asyncio.get_running_loop().time())

    async def _fill(self, body: IO[bytes], receive: Receive, largest: int) -> None:
        now = asyncio.get_running_loop().time
        until = now() + self._whole
        clock = asyncio.timeout(self._silence)
        self._clocks.add(clock)
        try:
            async with clock:
                while await self._take(body, receive, largest):
                    clock.reschedule(min(now() + self._silence, until))
        except TimeoutError:
            raise Stopping if self._stopping else TooSlow from None
        finally:
            self._clocks.discard(clock)

    async def _take(self, body: IO[bytes], receive: Receive, largest: int) -> bool:
        """Write what has arrived; tell whether there is more."""
        message = await receive()
        if message["type"] != "http.request":
            raise CutShort
        self._kept += body.write(message["body"])
        if body.tell() > largest:
            raise TooLarge
        if self._kept > _MOST_KEPT:
            raise Busy
        return bool(message["more_body"])


async def discard(receive: Receive, *, seconds: float = 2.0, most: int = 32 * 1024**2) -> None:
    """Read on for a moment: who is still sending could not read our answer otherwise."""
    try:
        async with asyncio.timeout(seconds):
            while most > 0 and (message := await receive()).get("more_body"):
                most -= len(message["body"])
    except TimeoutError:
        return
