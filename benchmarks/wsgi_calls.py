"""Call the site in this process, without a socket, to measure only the work of a call."""

import io
import itertools
import json
import time
from collections.abc import Callable
from typing import Any
from wsgiref.util import setup_testing_defaults

from django.core.handlers.wsgi import WSGIHandler

from api import rate_limits
from benchmarks.unlimited import UNLIMITED

_serve: Any = WSGIHandler()
_numbers = itertools.count(1)


def call(
    method: str,
    path: str,
    *,
    query: str = "",
    authorization: str = "",
    cookie: str = "",
    body: object = None,
) -> bytes:
    """Return the body of a response; exit if it is not successful."""
    sent = json.dumps(body).encode() if body is not None else b""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "HTTP_HOST": "localhost",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_AUTHORIZATION": authorization,
        "HTTP_COOKIE": cookie,
        "HTTP_IDEMPOTENCY_KEY": f"measured-{next(_numbers)}",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(sent)) if sent else "",
        "wsgi.input": io.BytesIO(sent),
    }
    setup_testing_defaults(environ)
    statuses: list[str] = []
    answer = b"".join(_serve(environ, lambda status, _: statuses.append(status)))
    if not statuses[0].startswith("2"):
        raise SystemExit(f"{method} {path} answered {statuses[0]}: {answer.decode()[:300]}")
    return answer


def seconds(work: Callable[[], object], times: int = 1) -> float:
    """Return how long `times` calls take, one after another."""
    began = time.perf_counter()
    for _ in range(times):
        work()
    return time.perf_counter() - began


def lift_limits() -> None:
    """Raise the rate limits without changing the counting."""
    rate_limits.RATE_LIMITS = UNLIMITED
