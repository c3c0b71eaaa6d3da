"""Reviewers' decisions on an application: return, hold, release, decline, clear.

`seen` is the id of the submission that the page showed. They raise Stale if there is a newer one.
"""

from collections.abc import Collection

from django.db import transaction
from django.utils.translation import gettext as _

from console.accounts import access, business_access
from console.accounts.actors import SYSTEM, Actor
from console.accounts.models import User
from console.accounts.roles import Permission
from console.core import clock
from console.core.refusals import NotReady, Refused, Stale
from onboarding import case_acts
from onboarding.case_acts import reason_in
from onboarding.evidence import files
from onboarding.evidence.models import EvidenceFile
from onboarding.information.models import CORRECT
from onboarding.intake import application_moves
from onboarding.lifecycle import LIFECYCLE, ActKind, ApplicationStatus
from onboarding.models import Application
from onboarding.review import clearing, information_requests
from onboarding.review.information_requests import Asked


class CannotClear(NotReady):
    """Something still blocks clearing the application to contract."""


class EvidenceMissing(Refused):
    """The decision names no evidence, or a file that is not evidence of the case."""

    code = "evidence_missing"


@transaction.atomic
def return_for_changes(
    application: Application, *, note: str, seen: str = "", by: User
) -> Application:
    """Return the application to the business, with a note on what to change."""
    application = locked(application, seen)
    access.require(by, Permission.APPLICATION_RETURN)
    said = reason_in(note)
    application = information_requests.return_locked(application, note=said, by=by)
    information_requests.create(application, [Asked(CORRECT, note)], is_told=True, by=by)
    return application


@transaction.atomic
def give_back(application: Application, *, note: str, by: User) -> Application:
    """Return it for an approver, whose permission was checked with the pack."""
    application = Application.objects.locked(application)
    application.message = reason_in(note)
    application = application_moves.move(
        application, ApplicationStatus.RETURNED, act="application.sent_back", by=by, note=note
    )
    information_requests.create(application, [Asked(CORRECT, note)], is_told=True, by=by)
    return application


@transaction.atomic
def hold(application: Application, *, note: str, seen: str = "", by: Actor) -> Application:
    """Put an application on hold until compliance continues it, unknown to the business."""
    application = locked(application, seen)
    access.require(by, Permission.APPLICATION_HOLD)
    case_acts.record_unless_system(application, ActKind.HOLD, note=note, by=by)
    return application_moves.move(application, ApplicationStatus.HELD, by=by, note=reason_in(note))


@transaction.atomic
def release(application: Application, *, note: str, seen: str = "", by: User) -> Application:
    """End a hold and continue the review, or close the application if the business withdrew it."""
    application = locked(application, seen)
    access.require(by, Permission.APPLICATION_HOLD)
    case_acts.record(application, ActKind.RELEASE, note=note, by=by)
    application.released_at = clock.now()
    to = ApplicationStatus.SUBMITTED
    application = application_moves.move(
        application, to, act="application.released", by=by, note=reason_in(note)
    )
    if application.withdrawn_at is not None:
        return application_moves.move(application, ApplicationStatus.WITHDRAWN, by=SYSTEM)
    return application


@transaction.atomic
def decline(application: Application, *, note: str, seen: str = "", by: User) -> Application:
    """Decline the application, permanently. The business is not told why."""
    application = locked(application, seen)
    access.require(by, Permission.APPLICATION_DECLINE)
    case_acts.record(application, ActKind.DECLINE, note=note, by=by)
    application.decided_at = clock.now()
    return application_moves.move(
        application, ApplicationStatus.DECLINED, by=by, note=reason_in(note)
    )


@transaction.atomic
def clear(
    application: Application,
    *,
    note: str = "",
    evidence: Collection[EvidenceFile] = (),
    seen: str = "",
    by: Actor,
) -> Application:
    """Clear an application to contract, after which its agreement pack is generated.

    The system may only clear applications without concerns and with nothing open. With concerns,
    the head of compliance gives a reason and the evidence on which the decision rests.
    """
    application = locked(application, seen)
    access.require(by, Permission.APPLICATION_CLEAR)
    said = note.strip()
    act = case_acts.record_unless_system(application, ActKind.CLEAR, note=said, by=by)
    LIFECYCLE.check(application.status, ApplicationStatus.CLEARED)
    business_access.require(application.business, is_told=False)
    if blockers := clearing.blockers(application, by=by):
        raise CannotClear(_("You cannot clear this application yet."), blockers=blockers)
    if clearing.concerns(application):
        reason_in(said)
        _require_evidence(application, evidence)
    if act is not None:
        files.rely_on(act, evidence, by=by)
    return application_moves.move(
        application, ApplicationStatus.CLEARED, by=by, tier=application.tier, note=said
    )


def _require_evidence(application: Application, named: Collection[EvidenceFile]) -> None:
    if not named:
        raise EvidenceMissing(_("Choose the files on which your decision rests."))
    if set(named) - set(clearing.evidence(application)):
        raise EvidenceMissing(_("Choose files of this case that our staff can open."))


def locked(application: Application, seen: str) -> Application:
    """Return the current row, locked until the transaction ends."""
    application = Application.objects.locked(application)
    if seen and application.submission and application.submission.public_id != seen:
        raise Stale(_("The business submitted again after you opened this page."))
    return application
