"""The one way in which the status of an application changes."""

from typing import Any

from console.accounts.actors import Actor
from console.audit import log as audit
from console.core import clock
from console.events import outbox as events
from onboarding.intake import signatory
from onboarding.lifecycle import LIFECYCLE, OPEN, ApplicationStatus
from onboarding.models import Application


def move(
    application: Application, to: ApplicationStatus, *, act: str = "", by: Actor, **details: Any
) -> Application:
    """Change the status, write it in the log, and tell the others. All or nothing.

    `act` is the audit code, and the event, of a verb that shares its status with another.
    """
    was = application.status
    # What the business withdraws on hold stays on hold for our reviewers.
    if (was, to) != (ApplicationStatus.HELD, ApplicationStatus.WITHDRAWN):
        LIFECYCLE.check(was, to)
        application.status = to
    application.touched_at = clock.now()
    application.save()
    if to not in OPEN:
        signatory.take_back(application, by=by)
    before, after = {"status": was}, {"status": application.status}
    audit.record(
        act or f"application.{to}", application, by=by, before=before, after=after, **details
    )
    events.publish(act or f"application.{to}", application, was=was)
    return application
