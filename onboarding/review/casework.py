"""Notes on a case, and its assignment to a reviewer."""

from django.db import transaction
from django.utils.translation import gettext as _

from console.accounts import access, staff
from console.accounts.models import User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core import clock
from console.core.refusals import ReasonMissing, Refused, Stale
from console.core.text import isolated
from console.events import outbox as events
from onboarding import case_acts
from onboarding.lifecycle import Capacity
from onboarding.models import Application, CaseNote
from onboarding.review.mentions import Mentions


class CannotReview(Refused):
    """Raised when the assignee may not decide on the case."""

    code = "cannot_review"


@transaction.atomic
def add_note(application: Application, *, text: str, by: User) -> CaseNote:
    """Add a note for staff only, and tell the colleagues whom it mentions by e-mail.

    “@” mentions a colleague who may read the note, or raises UnknownColleague. The same note
    again, right after it, changes nothing.
    """
    application = Application.objects.locked(application)
    access.require(by, Permission.CASE_NOTE)
    if not text.strip():
        raise ReasonMissing(_("Write a note. A sentence is enough."))
    readers = readers_of(by)
    told = [one.public_id for one in Mentions(colleagues(by)).of(text)]
    newest = CaseNote.objects.of(application).first()
    if newest and (newest.author, newest.text, newest.mentioned) == (by, text.strip(), told):
        return newest
    note = CaseNote.objects.create(
        application=application, author=by, text=text.strip(), mentioned=told, at=clock.now(),
        is_confidential=readers == Permission.CONFIDENTIAL_VIEW,
    )  # fmt: skip
    audit.record(
        "case_note.added", note, by=by, business=application.business,
        application=application.public_id, mentioned=told,
    )  # fmt: skip
    events.publish("case_note.added", note)
    return note


def readers_of(author: User) -> Permission:
    """Return the permission to read a note: only compliance reads what one of it writes."""
    confidential = Permission.CONFIDENTIAL_VIEW
    return confidential if access.can(author, confidential) else Permission.REVIEW_VIEW


def colleagues(author: User) -> list[User]:
    """Return whom an author can mention in a note: everybody else who may read it."""
    return list(staff.people_with(readers_of(author)).exclude(pk=author.pk))


@transaction.atomic
def assign(
    application: Application, person: User | None, *, seen: str | None = None, by: User
) -> Application:
    """Assign a case to a reviewer, or to nobody. Other reviewers may still decide on it.

    `seen` is the id of the reviewer that the page showed, or "". Raises Stale if it has changed.
    """
    application = Application.objects.locked(application)
    access.require(by, Permission.CHECK_DECIDE)
    if person is not None:
        able = access.can(person, Permission.CHECK_DECIDE)
        if not able or case_acts.blockers(application, Capacity.COMPLIANCE, person):
            raise CannotReview(
                _("%(name)s may not decide on this case. Choose somebody else.")
                % {"name": isolated(person.name)}
            )
    if application.case_owner == person:
        return application
    held = application.case_owner.public_id if application.case_owner else ""
    if seen not in (None, held):
        raise Stale(_("Somebody assigned this case after you opened this page."))
    was, application.case_owner = application.case_owner, person
    application.save(update_fields=["case_owner"])
    audit.record(
        "application.assigned", application, by=by,
        before={"person": was.public_id if was else ""},
        after={"person": person.public_id if person else ""},
    )  # fmt: skip
    events.publish("application.assigned", application, by=by.public_id)
    return application
