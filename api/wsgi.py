"""The dispatcher that stands the API's door beside the console, in one process."""

import atexit
from collections.abc import Callable, Iterable
from typing import Any

from api.door.door import Door, leads_here
from api.v1.operations import TABLE

Application = Callable[..., Iterable[bytes]]


class Beside:
    """Sends API paths to the door, and all others to the console."""

    def __init__(self, console: Application) -> None:
        self.console = console
        self.door = Door(TABLE)
        atexit.register(self.door.close)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if leads_here(environ.get("PATH_INFO", "")):
            return self.door(environ, start_response)
        return self.console(environ, start_response)


def beside(console: Application) -> Beside:
    """Return one application made of two."""
    return Beside(console)
