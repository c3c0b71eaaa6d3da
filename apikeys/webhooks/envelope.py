"""The body of an event: built once, with a fixed order of fields."""

import json
from datetime import UTC, datetime
from typing import Any

# Receivers may rely on this limit, which Standard Webhooks recommends.
LARGEST = 20_000


class EventTooLarge(ValueError):
    """The event is larger than the limit; its kind has too much data."""


def body_of(
    *,
    event_id: str,
    kind: str,
    created_at: datetime,
    environment: str,
    api_version: str,
    sequence: int | None,
    data: dict[str, Any],
) -> bytes:
    """Return the body: UTF-8, no spaces, members in the documented order. At most 20 kB.

    Test events belong to no object and have no `sequence`.
    """
    envelope = {
        "id": event_id,
        "object": "event",
        "type": kind,
        "created_at": moment(created_at),
        "environment": environment,
        "api_version": api_version,
        **({} if sequence is None else {"sequence": sequence}),
        "data": data,
    }
    body = json.dumps(envelope, ensure_ascii=False, separators=(",", ":")).encode()
    if len(body) > LARGEST:
        raise EventTooLarge(f"{kind} has {len(body):,} bytes; at most {LARGEST:,} are sent.")
    return body


def moment(at: datetime) -> str:
    """Return a time in UTC with milliseconds: `2026-08-29T12:00:00.000Z`."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
