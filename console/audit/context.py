"""What the log adds by itself: which request this is, from where, and as whom."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass
class Circumstances:
    """The request around an entry. `written` counts the entries that it has committed."""

    request_id: str = ""
    ip: str = ""
    via: str = "system"
    written: int = 0
    roles: tuple[str, ...] = field(default_factory=tuple)


_current: ContextVar[Circumstances | None] = ContextVar("audit_circumstances", default=None)


def current() -> Circumstances:
    """Return this request's circumstances; outside a request, those of the system."""
    return _current.get() or Circumstances()


@contextmanager
def during(circumstances: Circumstances) -> Iterator[Circumstances]:
    """Make these the circumstances of every entry written inside."""
    token = _current.set(circumstances)
    try:
        yield circumstances
    finally:
        _current.reset(token)
