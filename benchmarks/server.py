"""One process that serves every variant: ours, a bare view, and the two peers.

The same server, threads and connections for all; only what stands before the answer differs.
"""

import dataclasses
import os
from collections.abc import Iterable
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchmarks.settings")

import django

django.setup()

from django.core.handlers.wsgi import WSGIHandler  # noqa: E402
from django.test.utils import override_settings  # noqa: E402

from api.door.door import Door  # noqa: E402
from api.door.operations import Table  # noqa: E402
from api.door.policies import Book, Policy, limits  # noqa: E402
from api.v1.operations import TABLE  # noqa: E402

# The stack that `django-admin startproject` writes.
DEFAULT_STACK = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
# So high that nothing is refused, counted as exactly as ever: one statement for fifty requests.
_PLENTY = 1_000_000
PLENTY = Book(
    sandbox=limits(
        default=(_PLENTY, _PLENTY), endpoint=(_PLENTY, _PLENTY), financial=(_PLENTY, _PLENTY)
    ),
    live={},
    refusals=Policy("refusals", _PLENTY, _PLENTY),
    auth_failures=Policy("auth-failures", _PLENTY, _PLENTY),
)


class Plain(WSGIHandler):
    """Django without middleware."""

    def __init__(self, middleware: list[str]) -> None:
        with override_settings(MIDDLEWARE=middleware):
            super().__init__()


_strict = Table(dataclasses.replace(row, financial=True) for row in TABLE.operations)
_without, _with = Plain([]), Plain(DEFAULT_STACK)
_door, _strict_door, _guarded = Door(TABLE, PLENTY), Door(_strict, PLENTY), Door(TABLE)


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Send each variant's path to what serves it."""
    where = environ["PATH_INFO"]
    if where.startswith("/sandbox/v1/"):
        return _door(environ, start_response)
    if where.startswith("/strict"):
        environ["PATH_INFO"] = where.removeprefix("/strict")
        return _strict_door(environ, start_response)
    if where.startswith("/guarded"):
        environ["PATH_INFO"] = where.removeprefix("/guarded")
        return _guarded(environ, start_response)
    return (_with if where == "/default" else _without)(environ, start_response)
