"""The worker class used in gunicorn.conf.py."""

from contextlib import suppress
from typing import Any

import structlog
from gunicorn import util
from gunicorn.http.errors import ParseException
from gunicorn.workers.gthread import ThreadWorker

from console.core import ids

log = structlog.get_logger(__name__)

_BODY = (
    "We could not read this request. The address, or a header, is too long or contains "
    "a character that is not allowed.\nRequest ID: {}\n"
)


class QuietThreadWorker(ThreadWorker):  # type: ignore[misc]  # the library has no types
    """Rejects malformed requests without quoting them, because they may contain a token.

    When it stops, it closes its port at once, so that a proxy asks another host.
    """

    def set_accept_enabled(self, enabled: bool) -> None:  # noqa: FBT001  # as the library calls it
        """Accept connections or not; when stopping, also close the port.

        gthread would close it after its last answer, and let those that connect until then wait.
        """
        super().set_accept_enabled(enabled)
        if not (enabled or self.alive):
            for listener in self.sockets:
                self._accept_all(listener)
                listener.close()

    def _accept_all(self, listener: Any) -> None:
        """Accept what has connected already: closing the port would end these connections."""
        before = -1
        while before != self.nr_conns:
            before = self.nr_conns
            self.accept(listener)

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Exception) -> None:
        if not isinstance(exc, ParseException):
            super().handle_error(req, client, addr, exc)
            return
        request_id = ids.new("req")
        log.info("request_not_read", request_id=request_id, why=type(exc).__name__)
        body = _BODY.format(request_id)
        head = (
            "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain\r\n"
            f"X-Request-Id: {request_id}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        with suppress(OSError):  # the client may have left
            util.write_nonblock(client, (head + body).encode())
