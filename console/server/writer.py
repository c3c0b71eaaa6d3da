"""What goes out on a connection, and whether its client takes it."""

import asyncio
from typing import Any

from console.server.responses import RawResponse, written
from console.server.unsent import UnsentAnswers

_MOST_THROWN_AWAY = 32 * 1024**2


class AnswerWriter:
    """Writes whole answers. `server` tells the date (uvicorn's state of a server).

    `always` is written into those of the server's own.
    """

    def __init__(
        self, transport: asyncio.Transport, server: Any, unsent: UnsentAnswers, always: bytes
    ) -> None:
        self._transport = transport
        self._server = server
        self._always = always
        self._unsent = unsent
        # The client takes less than we write.
        self.is_choked = False
        self._reading = True
        self._thrown_away = 0

    @property
    def is_closing(self) -> bool:
        return self._transport.is_closing()

    @property
    def has_unsent(self) -> bool:
        return self._transport.get_write_buffer_size() > 0

    def write(self, response: RawResponse, *, closes: bool, is_head: bool) -> None:
        """Send an answer; nothing may be sent after one that closes."""
        dated = self._server.default_headers
        date = dated[0][1] if dated else b""
        data = written(response, always=self._always, date=date, closes=closes, is_head=is_head)
        self._unsent.write(self._transport, data)

    def write_continue(self) -> None:
        """Tell a client that its body is expected."""
        self._transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def read(self, *, on: bool) -> None:
        """Let the client send, or make it wait."""
        if on is not self._reading and not self._transport.is_closing():
            self._reading = on
            (self._transport.resume_reading if on else self._transport.pause_reading)()

    def throw_away(self, length: int) -> None:
        """Wait for a client to have sent what nobody reads, but not for ever."""
        self._thrown_away += length
        if self._thrown_away > _MOST_THROWN_AWAY:
            self.close()

    def end(self) -> None:
        """Send no more."""
        self._transport.write_eof()

    def close(self) -> None:
        """Close when all is sent."""
        self._transport.close()

    def let_go(self) -> bool:
        """Close, unless an answer is still to be taken; tell whether it is so."""
        if self.has_unsent:
            return True
        self._transport.close()
        return False
