"""Prefixed, sortable public identifiers (biz_, app_, key_)."""

import hashlib
import re
import secrets
import time
from collections.abc import Callable
from functools import partial
from typing import Protocol

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_RANDOM_BITS = 80
# Encode two characters at a time, for speed: every API request gets one of these ids.
_PAIRS = tuple(first + second for first in _ALPHABET for second in _ALPHABET)
_LETTER_PAIRS = 13
SHAPE = re.compile(rf"[a-z]{{3}}_[{_ALPHABET}]{{{2 * _LETTER_PAIRS}}}")


class HasPublicId(Protocol):
    """Anything with a public id, so that the audit log and events can refer to it."""

    public_id: str


def new(prefix: str) -> str:
    """Return an identifier that sorts by the millisecond in which it was created.

    Do not use the clock module here: in a test with a frozen clock, identifiers would collide. An
    identifier is not a secret and grants no access.
    """
    number = (time.time_ns() // 1_000_000) << _RANDOM_BITS | secrets.randbits(_RANDOM_BITS)
    return _written(prefix, number)


def derived(prefix: str, text: str) -> str:
    """Return the identifier that this text always gives. It does not sort by time."""
    return _written(prefix, int.from_bytes(hashlib.sha256(text.encode()).digest()))


def _written(prefix: str, number: int) -> str:
    pairs = []
    for _ in range(_LETTER_PAIRS):
        pairs.append(_PAIRS[number & 1023])
        number >>= 10
    return f"{prefix}_{''.join(reversed(pairs))}"


def maker(prefix: str) -> Callable[[], str]:
    """Return a function that creates identifiers of one kind, for the default of `public_id`."""
    return partial(new, prefix)
