"""Lock, create and change a business's objects, and publish what happened."""

from collections.abc import Mapping
from typing import Any, TypeVar

from django.db import models, transaction

from api.payments.models import OwnedObject
from console.accounts.actors import Actor
from console.audit import log as audit
from console.core import clock
from console.core.lifecycle import Lifecycle
from console.core.refusals import WrongStatus
from console.events import outbox as events

OwnedT = TypeVar("OwnedT", bound=OwnedObject)
RowT = TypeVar("RowT", bound=models.Model)


def locked(row: RowT) -> RowT:
    """Return the current row with its business, locked until the transaction ends."""
    rows = type(row)._default_manager.select_for_update(no_key=True, of=("self",))
    return rows.select_related("business").get(pk=row.pk)


@transaction.atomic
def create(row: OwnedT, code: str, *, by: Actor) -> OwnedT:
    """Save a new row and announce it under the code `<word>.created`."""
    row.created_at = row.created_at or clock.now()
    row.save(force_insert=True)
    announce(row, code, by=by)
    return row


@transaction.atomic
def change(row: OwnedT, changes: Mapping[str, Any], code: str, *, by: Actor) -> OwnedT:
    """Change these fields and announce it, unless all values are the same.

    None clears a field.
    """
    row = locked(row)
    columns: dict[str, Any] = {column.name: column for column in row._meta.concrete_fields}
    changes = {
        name: columns[name].get_default() if value is None else value
        for name, value in changes.items()
    }
    if changed(row, changes):
        announce(row, code, by=by)
    return row


def require(row: Any, lifecycle: Lifecycle, to: str, *, since: str) -> None:
    """Refuse a transition that the lifecycle lacks, or that does not start from `since`."""
    lifecycle.check(row.status, to)
    if since and row.status != since:
        raise WrongStatus(f"The status is {row.status}, not {since}.")


def announce(row: OwnedObject, code: str, *, act: str = "", by: Actor) -> None:
    """Write the audit entry and publish the event of a change to a row.

    `act` is the audit code, if several actions share an event.
    """
    details: dict[str, Any] = {"environment": row.environment}
    audit.record(act or code, row, by=by, business=row.business, **details, **row.audit_details())
    events.publish(code, row, business=row.business.public_id, **details)


def changed(row: OwnedObject, changes: Mapping[str, Any]) -> bool:
    """Save the fields that differ, and tell whether any did."""
    differing = [name for name, value in changes.items() if getattr(row, name) != value]
    for name in differing:
        setattr(row, name, changes[name])
    if differing:
        row.save(update_fields=differing)
    return bool(differing)
