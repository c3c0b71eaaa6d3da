"""The request context that the log adds to every entry: request id, address, channel and roles."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass
class Circumstances:
    """The request in which an entry is written. `written` counts its committed entries."""

    request_id: str = ""
    ip: str = ""
    via: str = "system"
    written: int = 0
    roles: tuple[str, ...] = ()


_current: ContextVar[Circumstances | None] = ContextVar("audit_circumstances", default=None)


def current() -> Circumstances:
    """Return the current request's circumstances, or empty ones outside a request."""
    return _current.get() or Circumstances()


@contextmanager
def during(circumstances: Circumstances) -> Iterator[Circumstances]:
    """Use these circumstances for every entry written inside."""
    token = _current.set(circumstances)
    try:
        yield circumstances
    finally:
        _current.reset(token)
