"""One process that serves every variant: ours, a bare view, and the two peers.

The same server, threads and connections for all; only what stands before the answer differs.
"""

import dataclasses
import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchmarks.settings")

import django

django.setup()

from django.core.handlers.wsgi import WSGIHandler  # noqa: E402
from django.test.utils import override_settings  # noqa: E402

from api.gateway.calls import ApiAnswer, Call  # noqa: E402
from api.gateway.gateway import Gateway  # noqa: E402
from api.gateway.operations import Table  # noqa: E402
from api.v1.operations import TABLE  # noqa: E402
from api.v1.shapes import ApiContext  # noqa: E402
from api.wsgi import mount_of  # noqa: E402
from benchmarks.answer import ANSWER  # noqa: E402
from benchmarks.unlimited import UNLIMITED  # noqa: E402
from console.core import addresses  # noqa: E402
from console.server.environ import Environ  # noqa: E402
from console.server.mounts import Mount, MountedApplications, in_thread  # noqa: E402
from console.server.pools import ThreadPool, Work  # noqa: E402
from console.server.responses import RawResponse  # noqa: E402
from console.shell import unserved as pages  # noqa: E402
from console.shell.readable import LARGEST  # noqa: E402

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
THREADS, WAITING = 4, 100


class Plain(WSGIHandler):
    """Django without middleware."""

    def __init__(self, middleware: list[str]) -> None:
        with override_settings(MIDDLEWARE=middleware):
            super().__init__()


def _api(prefix: str, gateway: Gateway) -> Mount:
    """Return a gateway whose addresses begin with one part more."""
    mount = mount_of(gateway, THREADS, WAITING)

    def takes(_: str, path: str) -> bool:
        return path.startswith(prefix)

    def begin(environ: Environ) -> RawResponse | Work:
        environ["PATH_INFO"] = environ["PATH_INFO"].removeprefix(prefix)
        return gateway.begin(environ)

    return dataclasses.replace(mount, begin=begin, takes=takes) if prefix else mount


def _view(path: str, middleware: list[str]) -> Mount:
    def takes(_: str, asked: str) -> bool:
        return asked.startswith(path)

    return Mount(takes, in_thread(Plain(middleware)), _views, LARGEST, pages.refuse)


_strict = Table(dataclasses.replace(row, financial=True) for row in TABLE.operations)


def _answer_at_once(_: Call) -> ApiAnswer:
    return ApiAnswer(dict(ANSWER))


_posted = Table(
    [
        dataclasses.replace(
            row, function=_answer_at_once, answer=ApiContext, kind="endpoint", financial=False
        )
        for row in TABLE.operations
        if row.name == "payouts.create"
    ]
)
_gateways = {
    "": Gateway(TABLE, UNLIMITED),
    "/strict": Gateway(_strict, UNLIMITED),
    "/guarded": Gateway(TABLE),
    "/posted": Gateway(_posted, UNLIMITED),
}
_views = ThreadPool("views", threads=THREADS, waiting=WAITING)


def _close() -> None:
    for gateway in _gateways.values():
        gateway.close()


# Received, handed over and sent as the console and its API are.
application = MountedApplications(
    [
        *(_api(prefix, gateway) for prefix, gateway in _gateways.items()),
        _view("/default", DEFAULT_STACK),
        _view("/", []),
    ],
    is_proxy=addresses.is_proxy,
    close=_close,
)
