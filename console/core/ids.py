"""Prefixed, sortable public identifiers (biz_, app_, key_)."""

import secrets
import time
from collections.abc import Callable
from functools import partial
from typing import Protocol

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_RANDOM_BITS = 80
# Two letters at a time: every API request is given one of these.
_PAIRS = tuple(first + second for first in _ALPHABET for second in _ALPHABET)
_LETTER_PAIRS = 13


class HasPublicId(Protocol):
    """Anything with a public name: it may be written about in the log, and told of in events."""

    public_id: str


def new(prefix: str) -> str:
    """Return an identifier that sorts by the millisecond it was made in.

    The time is read here, and not from the clock, because a frozen clock in a test must not
    make two identifiers collide. An identifier names; it never opens anything.
    """
    number = (time.time_ns() // 1_000_000) << _RANDOM_BITS | secrets.randbits(_RANDOM_BITS)
    pairs = []
    for _ in range(_LETTER_PAIRS):
        pairs.append(_PAIRS[number & 1023])
        number >>= 10
    return f"{prefix}_{''.join(reversed(pairs))}"


def maker(prefix: str) -> Callable[[], str]:
    """Return what makes identifiers of one kind: the default of a column `public_id`."""
    return partial(new, prefix)
