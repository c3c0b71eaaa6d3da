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
    LIFECYCLE.check(was, to)
    application.status = to
    return _tell(application, to, was, act=act or f"application.{to}", by=by, **details)


def keep_on_hold(application: Application, *, by: Actor) -> Application:
    """Tell all that follows a withdrawal of an application that stays on hold."""
    assert application.status == ApplicationStatus.HELD
    to, act = ApplicationStatus.WITHDRAWN, "application.withdrawn"
    return _tell(application, to, application.status, act=act, by=by)


def _tell(
    application: Application,
    to: ApplicationStatus,
    was: str,
    *,
    act: str,
    by: Actor,
    **details: Any,
) -> Application:
    """Save the application, and tell that it is as `to` says for its business."""
    application.touched_at = clock.now()
    application.save()
    if to not in OPEN:
        signatory.take_back(application, by=by)
    before, after = {"status": was}, {"status": application.status}
    audit.record(act, application, by=by, before=before, after=after, **details)
    events.publish(act, application, was=was)
    return application
