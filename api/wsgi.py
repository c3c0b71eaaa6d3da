"""The dispatcher that stands the API's gateway beside the console, in one process."""

import atexit
from collections.abc import Callable, Iterable
from typing import Any

from api.gateway import bodies
from api.gateway.gateway import Gateway, leads_here
from api.gateway.problems import ApiProblem, unreadable
from api.v1.operations import TABLE
from console.server.environ import Environ
from console.server.mounts import Mount
from console.server.pools import ThreadPool
from console.server.responses import RawResponse
from console.server.unserved import Unserved

ConsoleApplication = Callable[..., Iterable[bytes]]


class ApiBesideConsole:
    """Sends API paths to the gateway, and all others to the console."""

    def __init__(self, console: ConsoleApplication) -> None:
        self.console = console
        self.gateway = Gateway(TABLE)
        atexit.register(self.close)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if leads_here(environ.get("PATH_INFO", "")):
            return self.gateway(environ, start_response)
        return self.console(environ, start_response)

    def close(self) -> None:
        """Write what waits; may be said twice."""
        self.gateway.close()


def beside(console: ConsoleApplication) -> ApiBesideConsole:
    """Return one application made of two."""
    return ApiBesideConsole(console)


def mount(both: ApiBesideConsole, threads: int, waiting: int) -> Mount:
    """Return the API with threads of its own: no page that hangs keeps a call waiting."""
    return mount_of(both.gateway, threads, waiting)


def mount_of(gateway: Gateway, threads: int, waiting: int) -> Mount:
    """Return a gateway's own mount."""

    def refuse(environ: Environ, unserved: Unserved) -> RawResponse:
        return gateway.decline(environ, _problem(unserved))

    def takes(method: str, path: str) -> bool:
        return leads_here(path)

    pool = ThreadPool("api", threads=threads, waiting=waiting)
    return Mount(takes, gateway.begin, pool, bodies.LARGEST, refuse)


def _problem(unserved: Unserved) -> ApiProblem:
    """Say with one of the 22 codes why a call was not looked at."""
    if unserved.retry_after:
        retry = ("Retry-After", str(unserved.retry_after))
        return ApiProblem("PROVIDER_UNAVAILABLE", headers=[retry])
    if unserved.code == "too_large":
        return bodies.too_large()
    if unserved.code == "too_slow":
        detail = "The body did not arrive in time. Send it again."
        return unreadable("/body", "too_slow", detail, status=unserved.status)
    return unreadable("/body", "cut_short", "The body ended before its end. Send it again.")
