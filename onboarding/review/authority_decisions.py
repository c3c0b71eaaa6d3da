"""Legal's decision on the written authority of a signatory."""

from django.db import transaction
from django.utils.translation import gettext as _

from console.accounts import access
from console.accounts.models import User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core.refusals import Blocker, NotReady, WrongStatus
from console.events import outbox as events
from onboarding import case_acts
from onboarding.evidence import authority, files
from onboarding.evidence.models import EvidenceFile
from onboarding.information.models import CORRECT
from onboarding.intake import application_moves
from onboarding.lifecycle import ActKind, ApplicationStatus, Capacity
from onboarding.models import Application
from onboarding.review import decisions, information_requests
from onboarding.review.information_requests import Asked


def is_asked(application: Application) -> bool:
    """Tell whether the answers name a written authority that is not accepted."""
    return authority.awaits_decision(application)


def blockers(application: Application, _capacity: Capacity, _person: User) -> list[Blocker]:
    """Return why nobody can decide now."""
    if is_asked(application):
        return []
    return [Blocker("authority", _("There is no written authority to decide on."))]


@transaction.atomic
def decide(
    application: Application,
    *,
    accepted: bool,
    file: EvidenceFile | None = None,
    note: str = "",
    seen: str = "",
    by: User,
) -> Application:
    """Accept the file that gives the signatory authority, or return the application with a reason.

    A refusal is returned to the business, so it is not possible during a hold.
    """
    application = decisions.locked(application, seen)
    access.require(by, Permission.APPROVE_LEGAL)
    if application.status != ApplicationStatus.SUBMITTED:
        raise WrongStatus(_("You can decide only while the application is in review."))
    if found := blockers(application, Capacity.LEGAL, by):
        raise NotReady(found[0].message, blockers=found)
    if not accepted:
        reason = case_acts.reason_in(note)
        case_acts.record(
            application, ActKind.REFUSE_AUTHORITY, capacity=Capacity.LEGAL, note=reason, by=by
        )
        application.message = reason
        application = application_moves.move(
            application,
            ApplicationStatus.RETURNED,
            act="application.authority_refused",
            by=by,
            note=reason,
        )
        information_requests.create(application, [Asked(CORRECT, reason)], is_told=True, by=by)
        return application
    if file is None or file not in authority.files_of(application):
        raise decisions.EvidenceMissing(_("Choose the file that gives the authority."))
    act = case_acts.record(
        application, ActKind.ACCEPT_AUTHORITY, capacity=Capacity.LEGAL, note=note.strip(), by=by
    )
    files.rely_on(act, [file], by=by)
    audit.record("application.authority_accepted", application, by=by, sha256=file.sha256)
    events.publish("application.authority_accepted", application)
    return application
