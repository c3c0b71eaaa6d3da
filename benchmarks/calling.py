"""Calls the API and its peers in turns, and prints how their times compare, as JSON."""

import io
import itertools
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchmarks.settings")

import django

django.setup()

from django.core.handlers.wsgi import WSGIHandler  # noqa: E402

from api import rate_limits  # noqa: E402
from benchmarks import world  # noqa: E402
from benchmarks.answer import PAYOUT  # noqa: E402
from benchmarks.unlimited import UNLIMITED  # noqa: E402

ROUNDS, CALLS = 15, 60
_serve: Any = WSGIHandler()
_numbers = itertools.count(1)

Variant = Callable[[], None]


def get(path: str, authorization: str = "") -> Variant:
    """Return what reads a path."""
    return lambda: _call("GET", path, authorization, 200)


def pay(path: str, authorization: str) -> Variant:
    """Return what pays out, each time with a key of its own."""
    return lambda: _call("POST", path, authorization, 201, json.dumps(PAYOUT).encode())


def _call(method: str, path: str, authorization: str, status: int, body: bytes = b"") -> None:
    environ = {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": "",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "127.0.0.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_AUTHORIZATION": authorization,
        "HTTP_IDEMPOTENCY_KEY": f"measured-{next(_numbers)}",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)) if body else "",
        "wsgi.input": io.BytesIO(body),
        "wsgi.url_scheme": "http",
    }
    statuses: list[str] = []
    answer = b"".join(_serve(environ, lambda status, _: statuses.append(status)))
    if not statuses[0].startswith(str(status)):
        raise SystemExit(f"{path} answered {statuses[0]}: {answer.decode()[:300]}")


def seconds(variant: Variant) -> float:
    """Return how long some calls take, one after the other."""
    began = time.perf_counter()
    for _ in range(CALLS):
        variant()
    return time.perf_counter() - began


def main() -> None:
    rate_limits.RATE_LIMITS = UNLIMITED
    keys = world.fill()
    me = get("/sandbox/v1/me", f"Bearer {keys['ours']}")
    payer = f"Bearer {keys['payer']}"
    pairs = {
        "me/api-key": (get("/api-key", f"Api-Key {keys['api_key']}"), me),
        "me/knox": (get("/knox", f"Token {keys['knox']}"), me),
        "me/drf": (get("/drf"), me),
        "payout/bare": (pay("/transaction", payer), pay("/sandbox/v1/payouts", payer)),
    }
    for pair in pairs.values():
        for variant in pair:
            variant()
    ratios: dict[str, list[float]] = {name: [] for name in pairs}
    for _ in range(ROUNDS):
        for name, (theirs, ours) in pairs.items():
            ratios[name].append(seconds(theirs) / seconds(ours))
    sys.stdout.write(json.dumps(ratios))


if __name__ == "__main__":
    main()
