"""Refuse calls that contain an API key, so that no stored data ever includes one."""

from collections.abc import Iterable
from typing import Any

from api.problems import Fault, invalid, unreadable
from apikeys import secrets

_DETAIL = "This holds an API key of ours. Take it out, and revoke the key if others can read this."


def refuse(body: dict[str, Any], idempotency_key: str) -> None:
    """Refuse a body that contains one of our keys in any value or name.

    Also refuse such an Idempotency-Key, because it is stored as sent.
    """
    if secrets.holds_key(idempotency_key):
        raise unreadable("/headers/Idempotency-Key", "holds_a_key", _DETAIL)
    if (found := _find(body, "")) is not None:
        raise invalid(Fault(found, "holds_a_key", _DETAIL))


def _find(value: Any, pointer: str) -> str | None:
    """Return the JSON pointer of the first text with a key, or None."""
    if isinstance(value, str):
        return pointer if secrets.holds_key(value) else None
    if isinstance(value, dict) and any(map(secrets.holds_key, value)):
        return pointer
    found = (_find(member, f"{pointer}/{name}") for name, member in _members(value))
    return next((one for one in found if one is not None), None)


def _members(value: Any) -> Iterable[tuple[object, Any]]:
    """Return the items in a value, with names escaped for a JSON pointer."""
    if isinstance(value, dict):
        return [(name.replace("~", "~0").replace("/", "~1"), one) for name, one in value.items()]
    return enumerate(value) if isinstance(value, list) else ()
