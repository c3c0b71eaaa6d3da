"""The worker class used in gunicorn.conf.py."""

from typing import Any

from gunicorn import util
from gunicorn.http.errors import ParseException
from gunicorn.workers.gthread import ThreadWorker


class QuietThreadWorker(ThreadWorker):  # type: ignore[misc]  # the library has no types
    """Rejects malformed requests without quoting them, because they may contain a token."""

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Exception) -> None:
        if isinstance(exc, ParseException):
            util.write_error(client, 400, "Bad Request", "")
        else:
            super().handle_error(req, client, addr, exc)
