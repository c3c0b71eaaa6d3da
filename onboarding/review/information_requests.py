"""What reviewers do with requests for information: ask, open again, close."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from console.accounts import access, business_access
from console.accounts.models import User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core import clock
from console.core.refusals import AlreadyDone, NotAllowed, NotReady, ReasonMissing, WrongStatus
from console.core.text import says_something
from console.events import outbox as events
from onboarding import case_acts
from onboarding.evidence.models import EvidenceFile
from onboarding.information.lifecycle import InformationStatus
from onboarding.information.models import CORRECT, InformationItem, InformationRequest
from onboarding.intake import application_moves, information_replies
from onboarding.lifecycle import LIFECYCLE, ActKind, ApplicationStatus, Capacity
from onboarding.models import Application

TIME_TO_ANSWER = timedelta(days=14)
# Any time before execution.
OPEN_IN = frozenset(
    {
        ApplicationStatus.SUBMITTED,
        ApplicationStatus.RETURNED,
        ApplicationStatus.HELD,
        ApplicationStatus.CLEARED,
    }
)


@dataclass(frozen=True)
class Asked:
    """One question to send: what is needed, about which answer or file, in which words."""

    need: str
    words: str
    question: str = ""
    file: EvidenceFile | None = None


@transaction.atomic
def ask(application: Application, *, asked: Sequence[Asked], by: User) -> Application:
    """Send questions together. Only those for other answers return the application."""
    application = Application.objects.locked(application)
    _require(application, by)
    if not asked:
        raise ReasonMissing(_("Ask at least one question."))
    business_access.require(application.business, is_told=False)
    if application.status not in OPEN_IN or application.withdrawn_at is not None:
        raise WrongStatus(_("This application has ended, so you cannot ask about it."))
    _refuse_twice(application, asked)
    returns = application.status != ApplicationStatus.RETURNED and any(
        one.need == CORRECT for one in asked
    )
    if returns:
        note = "\n".join(one.words for one in asked)
        application = return_for_corrections(application, note=note, by=by)
    create(application, asked, is_told=returns, by=by)
    return application


def _refuse_twice(application: Application, asked: Sequence[Asked]) -> None:
    """Raise AlreadyDone for the questions that were sent last, if they are still open."""
    newest = InformationRequest.objects.of(application).first()
    if newest is None or not newest.is_open:
        return
    sent = [Asked(i.need, i.words, i.question, i.about_file) for i in newest.items.all()]
    if sent == list(asked):
        raise AlreadyDone(_("These questions have already been sent to the business."))


def create(
    application: Application, asked: Sequence[Asked], *, is_told: bool, by: User
) -> InformationRequest:
    """Create a request about a locked application.

    `is_told`: the business gets an e-mail anyway, because the application is returned.
    """
    now = clock.now()
    request = InformationRequest.objects.create(
        application=application, asked_by=by, asked_at=now, opened_at=now,
        due_at=now + TIME_TO_ANSWER,
    )  # fmt: skip
    InformationItem.objects.bulk_create(
        InformationItem(
            request=request, need=one.need, question=one.question, about_file=one.file,
            words=one.words,
        )
        for one in asked
    )  # fmt: skip
    audit.record("information_request.asked", request, by=by, questions=[a.words for a in asked])
    events.publish("information_request.asked", request, is_told=is_told)
    return request


@transaction.atomic
def reopen(request: InformationRequest, *, note: str, by: User) -> InformationRequest:
    """Ask again, with a note on what is missing."""
    request = InformationRequest.objects.locked(request)
    _require(request.application, by)
    if not says_something(note):
        raise ReasonMissing(_("Say what is missing. A sentence is enough."))
    business_access.require(request.business, is_told=False)
    if request.application.status not in OPEN_IN:
        raise WrongStatus(_("This application has ended, so you cannot ask about it."))
    request.note, request.opened_at = note.strip(), clock.now()
    request.due_at, request.reminders = request.opened_at + TIME_TO_ANSWER, 0
    request.items.update(replied_at=None)
    request = information_replies.move(request, InformationStatus.OPEN, by=by, note=request.note)
    returns = request.corrects and request.application.status != ApplicationStatus.RETURNED
    if returns:
        return_for_corrections(request.application, note=note.strip(), by=by)
    events.publish("information_request.reopened", request, is_told=returns)
    return request


@transaction.atomic
def close(request: InformationRequest, *, by: User) -> InformationRequest:
    """Accept the answers, or take the question back."""
    request = InformationRequest.objects.locked(request)
    _require(request.application, by)
    if request.is_open and request.awaits_correction:
        raise NotReady(_("The business is changing its answers. Close it when it has submitted."))
    return information_replies.close(request, by=by)


def _require(application: Application, by: User) -> None:
    access.require(by, Permission.APPLICATION_RETURN)
    for blocker in case_acts.blockers(application, Capacity.COMPLIANCE, by):
        raise NotAllowed(blocker.message)


def return_locked(application: Application, *, note: str, by: User) -> Application:
    """Return a locked application to its business."""
    case_acts.record(application, ActKind.RETURN, note=note, by=by)
    application.message = note
    return application_moves.move(application, ApplicationStatus.RETURNED, by=by, note=note)


def return_for_corrections(application: Application, *, note: str, by: User) -> Application:
    """Return a locked application whose answers must change."""
    LIFECYCLE.check(application.status, ApplicationStatus.RETURNED)
    return return_locked(application, note=note, by=by)
