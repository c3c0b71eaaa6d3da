"""record(): the only function that writes audit entries."""

from functools import partial
from typing import Any, Protocol

from django.db import transaction

from console.audit import context
from console.audit.models import Entry
from console.core import clock, digests, ids
from console.core.ids import HasPublicId

DOMAIN = "console.audit.entry.v1"


class EntryActor(Protocol):
    """The actor of an entry: a user, or something that acts without an account."""

    @property
    def public_id(self) -> str: ...

    @property
    def name(self) -> str: ...


def record(
    code: str,
    subject: HasPublicId,
    *,
    by: EntryActor,
    business: HasPublicId | None = None,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    **details: Any,
) -> Entry:
    """Write one entry, in the transaction of the change it describes.

    `before`, `after` and `details` contain strings, integers, lists and objects, never a secret.
    The request's id, address and roles are added from the context.
    """
    assert transaction.get_connection().in_atomic_block, f"{code} outside a transaction"
    around = context.current()
    business = business or getattr(subject, "business", None)
    members = {
        "id": ids.new("aud"),
        "at": clock.now().isoformat(timespec="microseconds"),
        "code": code,
        "actor": {
            "id": by.public_id,
            "name": by.name or getattr(by, "email", ""),
            "roles": list(around.roles),
        },
        "business": business.public_id if business else "",
        "subject": {"type": type(subject).__name__.lower(), "id": subject.public_id},
        "request": {"id": around.request_id, "ip": around.ip, "via": around.via},
        "before": before or {},
        "after": after or {},
        "details": details,
    }
    entry = _keep(members)
    transaction.on_commit(partial(_count, around))
    return entry


def _keep(members: dict[str, Any]) -> Entry:
    body = digests.canonical(DOMAIN, members).decode()
    return Entry.objects.create(**columns(members), body=body)


def columns(members: dict[str, Any]) -> dict[str, Any]:
    """Return the columns of an entry, from the members of its body."""
    return {
        "public_id": members["id"],
        "at": members["at"],
        "code": members["code"],
        "actor_id": members["actor"]["id"],
        "actor_name": members["actor"]["name"],
        "business_id": members["business"],
        "subject_type": members["subject"]["type"],
        "subject_id": members["subject"]["id"],
        "request_id": members["request"]["id"],
    }


def _count(around: context.Circumstances) -> None:
    around.written += 1
