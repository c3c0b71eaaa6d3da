"""A connection of HTTP/1.1 (RFC 9112): requests as they arrive, and answers in their order.

The parser is llhttp's, in its strict mode. There is no framework between it and the applications:
what a connection costs is most of what a refusal costs.
"""

import asyncio
import logging
import math
import time
from collections import deque
from typing import Any, cast

import httptools

from console.server import environ as environs
from console.server.bodies import ReceivedBody
from console.server.environ import Environ
from console.server.heads import PIECE, ArrivingHead
from console.server.mounts import Mount, MountedApplications, ReceivedRequest, refused
from console.server.responses import FAILED, LARGE_HEAD, UNREADABLE, RawResponse
from console.server.unserved import CutShort, Stopping, TooLarge, TooSlow, Unserved
from console.server.writer import AnswerWriter

log = logging.getLogger(__name__)

# Who has not sent all headers by then, or asks nothing more, is let go.
_IDLE_SECONDS = 10.0
# An answer is read only by a client that may go on sending for a while.
_LINGER_SECONDS = 2.0
# Requests that one client sends without waiting for their answers.
_MOST_WAITING = 100


class HttpConnection(asyncio.Protocol):
    """Parses requests, has each answered when the one before is, and writes the answers.

    Made by the server (uvicorn's interface of a protocol), which also says when to shut down.
    """

    def __init__(self, config: Any, server_state: Any, app_state: Any, _loop: Any = None) -> None:
        self._app: MountedApplications = config.loaded_app
        self._server = server_state
        self.deadline = math.inf
        # When it was opened, or answered last.
        self._since, self._is_known = time.monotonic(), False
        # How long the piece is that is being parsed.
        self._arriving = 0
        # Its client waits to be told to send the body.
        self._owes_continue = False
        self._mount: Mount | None = None
        self._body: ReceivedBody | None = None
        # Requests that came before their turn, and the one that is being answered.
        self._waiting: deque[ReceivedRequest] = deque()
        self._answering: ReceivedRequest | None = None
        # Nothing more is parsed: what still arrives is thrown away.
        self._is_over = self._is_half_closed = False

    # What the transport says.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # The loop's own class of transports is registered with no other.
        known = cast("asyncio.Transport", transport)
        self._writer = AnswerWriter(known, self._server, self._app.clock.unsent, self._app.always)
        self.abort = known.abort
        peer, server = transport.get_extra_info("peername"), transport.get_extra_info("sockname")
        # Who has gone already has no address.
        if not peer or not server or not self._app.clock.has_room():
            self.abort()
            return
        self._server.connections.add(self)
        self._app.clock.add(self)
        # What is arriving, or has arrived and waits for its body.
        self._head = ArrivingHead(environs.of_connection(peer[0], server[:2]))
        self.on_url, self.on_header = self._head.add_target, self._head.add_header
        self._parser = httptools.HttpRequestParser(self)
        self.deadline = self._since + _IDLE_SECONDS

    def connection_lost(self, exc: Exception | None) -> None:
        self._server.connections.discard(self)
        self._app.clock.discard(self)
        self._forget_what_arrives()
        # The body of one that is being answered is still read, in a thread.
        while self._waiting:
            self._waiting.popleft().close()

    def data_received(self, data: bytes) -> None:
        if self._is_over:
            self._writer.throw_away(len(data))
        elif len(data) > PIECE:
            for at in range(0, len(data), PIECE):
                self.data_received(data[at : at + PIECE])
        else:
            self._parse(data)

    def _parse(self, data: bytes) -> None:
        self._arriving, body = len(data), self._body
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            # We speak nothing else: the request is answered as it is, and is the last one.
            self._is_over = True
        except httptools.HttpParserCallbackError:
            log.exception("request_not_received")
            self._answer_unread(FAILED)
        except httptools.HttpParserError:
            self._refuse(CutShort()) if self._body is not None else self._answer_unread(UNREADABLE)
        else:
            self._measure(body)
        self._next()

    def eof_received(self) -> bool:
        if self._body is not None:
            self._refuse(CutShort())
        self._is_over = self._is_half_closed = True
        # Who has asked may still read the answer.
        return self._answering is not None or bool(self._waiting)

    def pause_writing(self) -> None:
        self._writer.is_choked = True

    def resume_writing(self) -> None:
        self._writer.is_choked = False
        self._next()

    # What the parser says.

    def on_message_begin(self) -> None:
        if self._is_over:
            return
        self._head.begin()
        self._set_deadline(time.monotonic() + _IDLE_SECONDS)

    def on_headers_complete(self) -> None:
        if self._is_over:
            return
        if refusal := self._head.end(self._parser, self._arriving, self._app.is_proxy):
            self._answer_unread(refusal)
            return
        environ = self._head.environ
        self._mount = self._app.mount_of(environ)
        if "HTTP_TRANSFER_ENCODING" in environ or environ.get("CONTENT_LENGTH", "0") != "0":
            self._begin_body(self._mount, environ)

    def on_body(self, data: bytes) -> None:
        if self._body is None:
            return
        try:
            self._body.add(data)
        except Unserved as unserved:
            self._refuse(unserved)
        else:
            self._set_deadline(self._body.deadline)

    def on_message_complete(self) -> None:
        if self._mount is None:
            return
        if self._body is not None and self._parser.should_upgrade():
            # The parser reads no body of a request that would speak something else afterwards.
            self._refuse(CutShort())
            return
        mount, body = self._mount, self._body
        self._mount = self._body = None
        environ = self._head.environ
        if body is not None:
            body.hand_over(environ)
        keeps_alive = self._parser.should_keep_alive() and environ["SERVER_PROTOCOL"] == "HTTP/1.1"
        self._waiting.append(ReceivedRequest(mount, environ, body, keeps_alive))
        if len(self._waiting) >= _MOST_WAITING:
            # Whoever sends so many ahead is answered these, and begins again.
            self._is_over = True

    # What the server and the clock say.

    def shutdown(self) -> None:
        """Finish what is being answered, and nothing else."""
        if self._body is not None:
            self._refuse(Stopping())
        self._is_over = True
        if self._answering is None and not self._waiting:
            self._writer.close()

    def expire(self) -> None:
        """Let go of who has been silent for too long."""
        if self._body is not None:
            self._refuse(TooSlow())
        elif self._writer.let_go():
            self.deadline = time.monotonic() + _IDLE_SECONDS

    @property
    def turn(self) -> tuple[int, float] | None:
        """Return how soon it makes room for others; None while somebody is answered.

        Who asked before and asks nothing now is missed least, then who has not asked to the end.
        """
        if self._answering is not None:
            return None
        if self._waiting or self._writer.has_unsent:
            return 2, self._since
        is_idle = self._is_known and self._head.is_whole and self._body is None
        return 0 if is_idle else 1, self._since

    # One request after the other.

    def _next(self) -> None:
        """Have the next request answered, if it is its turn."""
        if self._writer.is_closing:
            return
        if self._answering is not None or self._writer.is_choked or not self._waiting:
            self._writer.read(on=not self._waiting)
            return
        request = self._answering = self._waiting.popleft()
        self.deadline = math.inf
        self._app.answer(request, self._tell)

    def _tell(self, response: RawResponse) -> None:
        """Write the answer to the request whose turn it is."""
        request, self._answering = self._answering, None
        assert request is not None
        request.close()
        self._since, self._is_known = time.monotonic(), True
        self.deadline = self._since + _IDLE_SECONDS
        if self._writer.is_closing:
            return
        is_last = self._is_over and not self._waiting
        closes = response.closes or is_last or not request.keeps_alive
        is_head = request.environ["REQUEST_METHOD"] == "HEAD"
        self._writer.write(response, closes=closes, is_head=is_head)
        if closes:
            self._is_over = True
            self._end(sends_more=request.keeps_alive)
        elif self._waiting:
            # Not at once: others wait for the loop, too.
            asyncio.get_running_loop().call_soon(self._next)
        else:
            self._continue()
            self._writer.read(on=True)

    # What has not arrived whole.

    def _begin_body(self, mount: Mount, environ: Environ) -> None:
        # Thousands of zeros are no number to Python; more digits than 20 the parser does not take.
        if int(environ.get("CONTENT_LENGTH", "").lstrip("0") or 0) > mount.largest:
            self._refuse(TooLarge())
            return
        self._body = ReceivedBody(mount.bodies, mount.largest, self._refuse)
        self._set_deadline(self._body.deadline)
        expects = environ.get("HTTP_EXPECT", "").lower() == "100-continue"
        self._owes_continue = expects and environ["SERVER_PROTOCOL"] == "HTTP/1.1"
        self._continue()

    def _continue(self) -> None:
        """Tell a client that waits for it to send its body, when all before is answered."""
        if self._owes_continue and self._answering is None and not self._waiting:
            self._owes_continue = False
            self._writer.write_continue()

    def _measure(self, before: ReceivedBody | None) -> None:
        """Bound what arrives and is no body; `before` is the body that was arriving already."""
        if not self._head.is_whole and self._head.is_large(self._arriving):
            self._answer_unread(LARGE_HEAD)
        elif before is not None and before is self._body:
            try:
                before.arrived(self._arriving)
            except Unserved as unserved:
                self._refuse(unserved)

    def _set_deadline(self, deadline: float) -> None:
        # Whoever waits for an answer may take the time that it takes.
        if self._answering is None:
            self.deadline = deadline

    def _refuse(self, unserved: Unserved) -> None:
        """Answer a request that has not arrived whole, and take no more."""
        mount, environ = self._mount, self._head.environ
        assert mount is not None
        is_head = environ["REQUEST_METHOD"] == "HEAD"
        self._answer_unread(refused(mount, environ, unserved), is_head=is_head)

    def _answer_unread(self, response: RawResponse, *, is_head: bool = False) -> None:
        """Say why nothing more is read, unless others are to be answered before."""
        self._forget_what_arrives()
        was_over, self._is_over = self._is_over, True
        if was_over or self._answering is not None or self._waiting or self._writer.is_closing:
            return
        self._writer.write(response, closes=True, is_head=is_head)
        self._end(sends_more=True)

    def _end(self, *, sends_more: bool) -> None:
        if not sends_more or self._is_half_closed:
            self._writer.close()
            return
        # Who is still sending could not read our answer if all were closed now.
        self._writer.end()
        self.deadline = time.monotonic() + _LINGER_SECONDS

    def _forget_what_arrives(self) -> None:
        if self._body is not None:
            self._body.close()
        self._mount = self._body = None
