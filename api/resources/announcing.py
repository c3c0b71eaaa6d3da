"""Tell what happened to an object: the audit entry and the event, in the change's transaction."""

from typing import Any

from api.sandbox.models import OwnedObject
from console.accounts.actors import Actor
from console.audit import log as audit
from console.events import outbox as events


def announce(row: OwnedObject, code: str, *, act: str = "", by: Actor) -> None:
    """Write the audit entry and the event of what happened to a row.

    `act` is the audit code of a verb that shares its event with another.
    """
    details: dict[str, Any] = {"environment": row.environment}
    audit.record(act or code, row, by=by, business=row.business, **details, **row.audit_details())
    events.publish(code, row, business=row.business.public_id, **details)
