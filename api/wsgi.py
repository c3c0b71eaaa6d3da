"""The dispatcher that stands the API's door beside the console, in one process."""

import atexit
from collections.abc import Callable, Iterable
from typing import Any

from api.door.door import Door, leads_here
from api.v1.operations import TABLE

Application = Callable[..., Iterable[bytes]]


def beside(console: Application) -> Application:
    """Return an application that sends API paths to the door and all others to the console."""
    door = Door(TABLE)
    atexit.register(door.close)

    def dispatch(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if leads_here(environ.get("PATH_INFO", "")):
            return door(environ, start_response)
        return console(environ, start_response)

    return dispatch
