"""What a business does with a request for information: reply to each question, and send."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from console.accounts import access, business_access
from console.accounts.actors import SYSTEM, Actor
from console.accounts.models import User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core import clock
from console.core.refusals import NotReady, ReasonMissing, Refused, WrongStatus
from console.events import outbox as events
from console.events.models import Event
from onboarding.evidence import files
from onboarding.information.lifecycle import LIFECYCLE, InformationStatus
from onboarding.information.models import InformationItem, InformationRequest
from onboarding.models import Application


class ReplyChanged(Refused):
    """Somebody else replied to the question after the page was opened."""

    code = "reply_changed"


@transaction.atomic
def reply(
    item: InformationItem, *, text: str, seen: str | None = None, by: User
) -> InformationItem:
    """Reply to a question in words.

    `seen` is the reply that the page showed. Raises ReplyChanged if it has changed since.
    """
    asked = _locked(item, by=by)
    now = InformationItem.objects.get(pk=item.pk).reply
    if seen is not None and now.split() not in (seen.split(), text.split()):
        raise ReplyChanged(
            _("Somebody else answered this: “%(reply)s” Save again to replace that answer.")
            % {"reply": f"{now:.200}"}
        )
    if not text.strip():
        raise ReasonMissing(_("Write your answer. A sentence is enough."))
    return _keep(asked, item, by=by, reply=text.strip())


def send_document(item: InformationItem, *, data: bytes, name: str, by: User) -> InformationItem:
    """Reply to a question with a document."""
    application = item.request.application
    with transaction.atomic():
        _locked(item, by=by)
    file = files.add(application, data, name=name, kind=item.need, by=by)
    with transaction.atomic():
        return _keep(_locked(item, by=by), item, by=by, file=file)


@transaction.atomic
def send(asked: InformationRequest, *, by: User) -> InformationRequest:
    """Send the replies to our reviewers. A request for other answers is sent by submitting."""
    asked = InformationRequest.objects.locked(asked)
    access.require(by, Permission.APPLICATION_ANSWER, asked.business)
    business_access.require(asked.business)
    if any(not item.is_replied for item in asked.items.all() if not item.is_correction):
        raise NotReady(_("Reply to every question before you send the answers."))
    if asked.corrects and not asked.is_complete:
        raise NotReady(_("Correct the answers and submit the application again."))
    return answered(asked, by=by)


def answered(asked: InformationRequest, *, by: Actor) -> InformationRequest:
    """Mark a locked request as answered."""
    asked.answered_at = clock.now()
    asked = move(asked, InformationStatus.ANSWERED, by=by)
    events.publish("information_request.answered", asked)
    return asked


def move(
    asked: InformationRequest, to: InformationStatus, *, by: Actor, **details: Any
) -> InformationRequest:
    """Change the status of a locked request and log it."""
    was = asked.status
    LIFECYCLE.check(was, to)
    asked.status = to
    asked.save()
    before, after = {"status": was}, {"status": str(to)}
    audit.record(f"information_request.{to}", asked, by=by, before=before, after=after, **details)
    return asked


def note_corrections(event: Event) -> None:
    """Note, in the transaction of a submission, that the corrections of its requests are made."""
    application = Application.objects.select_related("submission").get(public_id=event.subject_id)
    assert application.submission is not None
    for asked in InformationRequest.objects.of(application).open():
        corrections = [item for item in asked.items.all() if item.is_correction]
        for item in corrections:
            item.replied_at = clock.now()
            item.save(update_fields=["replied_at"])
        if corrections and asked.is_complete:
            answered(asked, by=application.submission.submitted_by)


def close_with_application(event: Event) -> None:
    """Close the requests of an application that has ended, in the same transaction."""
    application = Application.objects.get(public_id=event.subject_id)
    rows = InformationRequest.objects.of(application).exclude(status=InformationStatus.CLOSED)
    for asked in rows:
        close(asked, by=SYSTEM)


def close(asked: InformationRequest, *, by: Actor) -> InformationRequest:
    """Close a locked request."""
    asked.closed_at = clock.now()
    asked = move(asked, InformationStatus.CLOSED, by=by)
    events.publish("information_request.closed", asked)
    return asked


def _locked(item: InformationItem, *, by: User) -> InformationRequest:
    asked = InformationRequest.objects.locked(item.request)
    access.require(by, Permission.APPLICATION_ANSWER, asked.business)
    if asked.status == InformationStatus.CLOSED:
        raise WrongStatus(_("We no longer need an answer to this question."))
    if not asked.is_open:
        raise WrongStatus(_("You have already sent these answers."))
    business_access.require(asked.business)
    return asked


def _keep(
    asked: InformationRequest, item: InformationItem, *, by: User, **said: Any
) -> InformationItem:
    item = InformationItem.objects.get(pk=item.pk)
    for name, value in said.items():
        setattr(item, name, value)
    item.replied_at = clock.now()
    item.save()
    asked.application.touched_at = item.replied_at
    asked.application.save(update_fields=["touched_at"])
    # The next reply replaces this one, so the log keeps it.
    audit.record(
        "information_request.replied", asked, by=by, question=item.public_id, reply=item.reply,
        file=item.file.public_id if item.file else "",
    )  # fmt: skip
    return item
