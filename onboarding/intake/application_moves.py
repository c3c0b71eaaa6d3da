"""move(): the only function that changes an application's status."""

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
    """Change the status, log it and publish the event, in one transaction.

    `act` is the audit code and event kind, for actions that share their target status with another.
    """
    was = application.status
    # An application withdrawn while on hold stays on hold for our reviewers.
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
