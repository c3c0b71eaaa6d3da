"""Canonical JSON (RFC 8785, profile `agr-json-1`) and its SHA-256.

We store and ship the canonical bytes, so `sha256sum` of the file gives the digest and a verifier
needs no canonicaliser. The top level names the domain, so digests of different kinds never match.
"""

import hashlib
import json
import unicodedata
from typing import Any

import rfc8785

from console.core.text import unsafe_characters

_SAFE_INTEGER = 2**53 - 1


class NotCanonical(ValueError):
    """The value cannot be written as `agr-json-1`. The message says where and why."""


def canonical(domain: str, body: Any) -> bytes:
    """Return `{"_type": domain, "body": body}` as canonical JSON, or raise NotCanonical."""
    _check(body, "$")
    return rfc8785.dumps({"_type": domain, "body": body})


def digest(domain: str, body: Any) -> str:
    """Return the SHA-256 of the canonical form, in lower-case hex."""
    return sha256_hex(canonical(domain, body))


def sha256_hex(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def parse(data: bytes) -> Any:
    """Return the `body` of canonical JSON, or raise NotCanonical on duplicate names."""
    return json.loads(data, object_pairs_hook=without_duplicates)["body"]


def without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object from its members, or raise NotCanonical if a name occurs twice."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise NotCanonical("A member is named twice.")
    return members


def _check(value: Any, where: str) -> None:
    if value is None or isinstance(value, bool):
        return
    if isinstance(value, dict):
        for key, member in value.items():
            if not isinstance(key, str):
                raise NotCanonical(f"{where}: a member's name must be text")
            _check(key, where)
            _check(member, f"{where}.{key}")
    elif isinstance(value, list | tuple):
        for number, item in enumerate(value):
            _check(item, f"{where}[{number}]")
    else:
        _check_leaf(value, where)


def _check_leaf(value: Any, where: str) -> None:
    match value:
        case str():
            if not unicodedata.is_normalized("NFC", value):
                raise NotCanonical(f"{where}: text is not in NFC")
            if unsafe_characters(value):
                raise NotCanonical(f"{where}: control, private-use or direction character")
        case int():
            if abs(value) > _SAFE_INTEGER:
                raise NotCanonical(f"{where}: integer beyond 2^53-1; send it as a string")
        case float():
            raise NotCanonical(f"{where}: no floats; send minor units or a decimal string")
        case _:
            raise NotCanonical(f"{where}: {type(value).__name__} is not JSON")
