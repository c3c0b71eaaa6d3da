"""Answers that are written and not yet taken, within limits of time and size."""

import asyncio
import socket
import time
from dataclasses import dataclass

# Of one answer the kernel keeps what is on its way and so much more. Left to itself it takes
# megabytes at once, and a slow reader looks as if it read nothing.
_LOW_WATER = 128 * 1024
_MOST_KEPT = 256 * 1024**2


@dataclass
class _UnsentAnswer:
    """What a connection has not sent, and until when; several answers are one."""

    size: int
    left: int
    until: float
    moved_at: float


class UnsentAnswers:
    """Counts the bytes of all answers that are not taken whole, and bounds them.

    An answer may take `within` seconds, and one more for each `rate` bytes; of `silence` seconds in
    which nothing of it is taken, its reader is gone. Used in the event loop alone.
    """

    def __init__(
        self,
        *,
        most: int = _MOST_KEPT,
        within: float = 120.0,
        rate: float = 16_000.0,
        silence: float = 60.0,
    ) -> None:
        self.most = most
        self.within = within
        self.rate = rate
        self.silence = silence
        self._answers: dict[asyncio.Transport, _UnsentAnswer] = {}

    def write(self, transport: asyncio.Transport, data: bytes) -> None:
        """Send an answer, and watch what is left of it."""
        size = len(data)
        if size > _LOW_WATER:
            known = transport.get_extra_info("socket")
            known.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _LOW_WATER)
        transport.write(data)
        if left := transport.get_write_buffer_size():
            self._watch(transport, size, left)

    def look(self, now: float) -> None:
        """Abort who takes too long, then those that keep most, until all fit."""
        for transport, answer in list(self._answers.items()):
            left = transport.get_write_buffer_size()
            if left < answer.left:
                answer.left, answer.moved_at = left, now
            if left == 0:
                del self._answers[transport]
            elif now >= min(answer.until, answer.moved_at + self.silence):
                self._abort(transport)
        # Counted whole: the memory of an answer is free when its last byte is taken.
        over = sum(answer.size for answer in self._answers.values()) - self.most
        if over > 0:
            for transport, answer in sorted(self._answers.items(), key=lambda one: -one[1].left):
                self._abort(transport)
                over -= answer.size
                if over <= 0:
                    break

    def _watch(self, transport: asyncio.Transport, size: int, left: int) -> None:
        now = time.monotonic()
        before = self._answers.get(transport)
        if before is None or left <= size:
            before = _UnsentAnswer(0, 0, now + self.within, now)
            self._answers[transport] = before
        # Behind an answer that is not taken another one gets no more time than its size is worth.
        before.size += size
        before.left = left
        before.until += size / self.rate

    def _abort(self, transport: asyncio.Transport) -> None:
        del self._answers[transport]
        transport.abort()
