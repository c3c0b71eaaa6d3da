"""Prefixed, sortable public identifiers (biz_, app_, key_)."""

import secrets
import time
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


def user_id() -> str:
    return new("usr")


def business_id() -> str:
    return new("biz")


def membership_id() -> str:
    return new("mem")


def invitation_id() -> str:
    return new("inv")


def factor_id() -> str:
    return new("otp")


def session_id() -> str:
    return new("ses")


def application_id() -> str:
    return new("app")


def submission_id() -> str:
    return new("sub")


def assessment_id() -> str:
    return new("asm")


def check_id() -> str:
    return new("chk")


def pack_id() -> str:
    return new("pak")


def document_id() -> str:
    return new("doc")


def act_id() -> str:
    return new("act")


def approval_id() -> str:
    return new("apr")


def grant_id() -> str:
    return new("grt")


def key_id() -> str:
    return new("key")


def event_id() -> str:
    return new("evt")


def entry_id() -> str:
    return new("aud")


def head_id() -> str:
    return new("hed")


def chain_check_id() -> str:
    return new("chc")


def request_id() -> str:
    return new("req")


def product_id() -> str:
    return new("prd")
