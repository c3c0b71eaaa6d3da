"""Create, parse and compare API secrets: shown once, stored only as a keyed digest.

A credential is `svc_test_<16 base62>:<43 base62><6 base62>`. The last six characters are the CRC32
of everything before them, so typing mistakes, truncated credentials and halves of two different
keys are refused without a database query. The check is skipped if the key's digest is cached,
because comparing the digest suffices. The secret is 256 random bits, so a fast keyed digest is
enough; a slow one would make denial of service easier.
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
# Only looks ahead, so a truncated key cannot swallow the start of a whole one after it.
_ANYWHERE = re.compile(rf"(?=({SHAPE.pattern}))", re.ASCII)

_BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
_ID_LETTERS = 16
_BODY_LETTERS = 43
_SUM_LETTERS = 6
# Two characters at a time, because the checksum is computed for every unknown key.
_PAIRS = tuple(first + second for first in _BASE62 for second in _BASE62)


@dataclass(frozen=True)
class Minted:
    """A new credential: `secret` for its owner; the digest and pepper version for storage."""

    key_id: str
    secret: str
    digest: bytes
    pepper: int

    @property
    def plain(self) -> str:
        """Return the value that follows `Bearer`."""
        return f"{self.key_id}:{self.secret}"

    def __repr__(self) -> str:
        """Hide the secret from logs and tracebacks."""
        return f"Minted({self.key_id})"


def mint(environment: Environment) -> Minted:
    return mint_again(PREFIX[environment] + _letters(_ID_LETTERS))


def mint_again(key_id: str) -> Minted:
    """Return a new secret for an existing key id."""
    body = _letters(_BODY_LETTERS)
    secret = body + checksum(f"{key_id}:{body}")
    version = next(iter(settings.KEY_PEPPERS))
    return Minted(key_id, secret, digest(key_id, secret, version), version)


def read(plain: str) -> tuple[str, str] | None:
    """Return the key's id and secret, or None if the text is not one of our credentials."""
    pair = split(plain)
    return pair if pair and is_whole(*pair) else None


def split(plain: str) -> tuple[str, str] | None:
    """Return the key's id and secret if the format matches, without checking the checksum."""
    shape = SHAPE.fullmatch(plain)
    return (shape[1], shape[2]) if shape else None


def is_whole(key_id: str, secret: str) -> bool:
    """Tell whether a credential's checksum is right, before any database query."""
    body = secret[:-_SUM_LETTERS]
    return secret[-_SUM_LETTERS:] == checksum(f"{key_id}:{body}")


def pairs_in(text: str) -> list[tuple[str, str]]:
    """Return every whole credential in a text whose format and checksum are right."""
    if "svc_" not in text:
        return []
    found = (read(match[1]) for match in _ANYWHERE.finditer(text))
    return [pair for pair in found if pair is not None]


def holds_key(text: str) -> bool:
    """Tell whether a text contains a whole credential."""
    return bool(pairs_in(text))


def objection(text: str) -> str:
    """Return why a text cannot be saved, or "" if it contains none of our keys."""
    if holds_key(text):
        return "Remove the API key. Others can read this text."
    return f"Remove {TAKEN_OUT} from the text." if TAKEN_OUT in text else ""


def taken_out(text: str) -> str:
    """Return a text with its credentials removed, so the rest of the input can be kept."""
    for key_id, secret in pairs_in(text):
        text = text.replace(f"{key_id}:{secret}", TAKEN_OUT)
    return text


def digest(key_id: str, secret: str, version: int) -> bytes:
    """Return the digest to store, under one version of the pepper."""
    return _digest(settings.KEY_PEPPERS[version], key_id, secret)


def matches(key_id: str, secret: str, stored: bytes, version: int) -> bool:
    """Compare in constant time. An unknown pepper version never matches."""
    pepper = settings.KEY_PEPPERS.get(version)
    if pepper is None:
        return False
    return hmac.compare_digest(_digest(pepper, key_id, secret), stored)


def checksum(pair: str) -> str:
    """Return six base62 characters of checksum over `id:body`, which detects swapped halves."""
    high, low = divmod(zlib.crc32(pair.encode()), len(_PAIRS))
    first, second = divmod(high, len(_PAIRS))
    return _PAIRS[first] + _PAIRS[second] + _PAIRS[low]


def token() -> str:
    """Return a random token that grants nothing, such as a form's `once`."""
    return secrets.token_urlsafe(24)


def _digest(pepper: bytes, key_id: str, secret: str) -> bytes:
    mac = _keyed(pepper).copy()
    mac.update(f"{key_id}:{secret}".encode())
    return mac.digest()


@lru_cache(maxsize=8)
def _keyed(pepper: bytes) -> hmac.HMAC:
    """Prepare an HMAC per pepper; copying it for each digest halves the cost."""
    return hmac.new(pepper, digestmod="sha256")


def _letters(count: int) -> str:
    return "".join(secrets.choice(_BASE62) for _ in range(count))
