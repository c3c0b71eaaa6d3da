"""Mint, read and compare secrets: shown once, stored only as a keyed digest.

A credential is `svc_test_<16 base62>:<43 base62><6 base62>`. The last six letters are the CRC32 of
everything before them, so a typing mistake, a cut string or the halves of two different keys are
refused without asking the database; where memory holds the key's digest, that says so by itself.
The secret is 256 random bits: a fast keyed digest is enough, and a slow one would be a lever
against us.
"""

import hmac
import re
import secrets
import string
import zlib
from dataclasses import dataclass
from functools import lru_cache

from django.conf import settings

from apikeys.lifecycle import Environment

PREFIX = {Environment.SANDBOX: "svc_test_", Environment.LIVE: "svc_live_"}
TAKEN_OUT = "[an API key]"
SHAPE = re.compile(r"(svc_(?:test|live)_[0-9A-Za-z]{16}):([0-9A-Za-z]{49})", re.ASCII)
# Looks ahead only: a cut key in front of a whole one takes nothing of it.
_ANYWHERE = re.compile(rf"(?=({SHAPE.pattern}))", re.ASCII)

_BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
_ID_LETTERS = 16
_BODY_LETTERS = 43
_SUM_LETTERS = 6
# Two letters at a time: the checksum is worked out for every key that nobody knows.
_PAIRS = tuple(first + second for first in _BASE62 for second in _BASE62)


@dataclass(frozen=True)
class Minted:
    """A new credential: `secret` for its owner, the digest and its pepper's version for us."""

    key_id: str
    secret: str
    digest: bytes
    pepper: int

    @property
    def plain(self) -> str:
        """Return what goes behind `Bearer`."""
        return f"{self.key_id}:{self.secret}"

    def __repr__(self) -> str:
        """A secret never reaches a log or a traceback by being printed."""
        return f"Minted({self.key_id})"


def mint(environment: Environment) -> Minted:
    """Return a new credential for an environment."""
    return mint_again(PREFIX[environment] + _letters(_ID_LETTERS))


def mint_again(key_id: str) -> Minted:
    """Return a new secret for a key that keeps its id."""
    body = _letters(_BODY_LETTERS)
    secret = body + checksum(f"{key_id}:{body}")
    version = next(iter(settings.KEY_PEPPERS))
    return Minted(key_id, secret, digest(key_id, secret, version), version)


def read(plain: str) -> tuple[str, str] | None:
    """Return the key's id and secret, or None when this was never one of our credentials."""
    pair = split(plain)
    return pair if pair and is_whole(*pair) else None


def split(plain: str) -> tuple[str, str] | None:
    """Return the key's id and secret by their shape alone, as for one whose digest is known."""
    shape = SHAPE.fullmatch(plain)
    return (shape[1], shape[2]) if shape else None


def is_whole(key_id: str, secret: str) -> bool:
    """Tell whether the checksum of a credential is right, so that somebody may be asked for it."""
    body = secret[:-_SUM_LETTERS]
    return secret[-_SUM_LETTERS:] == checksum(f"{key_id}:{body}")


def pairs_in(text: str) -> list[tuple[str, str]]:
    """Return every whole credential that stands in a text, by its shape and its checksum."""
    if "svc_" not in text:
        return []
    found = (read(match[1]) for match in _ANYWHERE.finditer(text))
    return [pair for pair in found if pair is not None]


def holds_key(text: str) -> bool:
    """Tell whether a whole credential stands in a text."""
    return bool(pairs_in(text))


def objection(text: str) -> str:
    """Return why a text is not kept, in words; empty where it holds none of our keys."""
    if holds_key(text):
        return "Remove the API key. Others can read this text."
    return f"Remove {TAKEN_OUT} from the text." if TAKEN_OUT in text else ""


def taken_out(text: str) -> str:
    """Return a text without the credentials in it, so that what was typed beside them is kept."""
    for key_id, secret in pairs_in(text):
        text = text.replace(f"{key_id}:{secret}", TAKEN_OUT)
    return text


def digest(key_id: str, secret: str, version: int) -> bytes:
    """Return the stored form, under one version of the pepper."""
    return _digest(settings.KEY_PEPPERS[version], key_id, secret)


def matches(key_id: str, secret: str, stored: bytes, version: int) -> bool:
    """Compare in constant time. A pepper that we no longer hold matches nothing."""
    pepper = settings.KEY_PEPPERS.get(version)
    if pepper is None:
        return False
    return hmac.compare_digest(_digest(pepper, key_id, secret), stored)


def checksum(pair: str) -> str:
    """Return six base62 letters over `id:body`, so that swapped halves are told apart."""
    high, low = divmod(zlib.crc32(pair.encode()), len(_PAIRS))
    first, second = divmod(high, len(_PAIRS))
    return _PAIRS[first] + _PAIRS[second] + _PAIRS[low]


def token() -> str:
    """Return an unguessable word that opens nothing, for telling two things apart."""
    return secrets.token_urlsafe(24)


def _digest(pepper: bytes, key_id: str, secret: str) -> bytes:
    mac = _keyed(pepper).copy()
    mac.update(f"{key_id}:{secret}".encode())
    return mac.digest()


@lru_cache(maxsize=8)
def _keyed(pepper: bytes) -> hmac.HMAC:
    """Work a pepper in once; every digest goes on from a copy. That halves its price."""
    return hmac.new(pepper, digestmod="sha256")


def _letters(count: int) -> str:
    return "".join(secrets.choice(_BASE62) for _ in range(count))
