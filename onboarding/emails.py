"""E-mails about an application's status. They do not say what must be changed."""

from console.accounts import access, staff
from console.accounts.models import Business, Membership, OptionalMail, User
from console.accounts.roles import Permission, holders
from console.events.models import Event
from console.shell import mail
from onboarding import application_progress
from onboarding.models import Application, CaseNote


def submitted(event: Event) -> None:
    """Confirm to whoever submitted that the answers have arrived, and by when we mean to answer."""
    _send("application_submitted", event, optional=OptionalMail.RECEIPTS)


def returned(event: Event) -> None:
    """Tell the submitter that a reviewer requested changes. Packs have their own e-mail."""
    _send("application_returned", event)


def declined(event: Event) -> None:
    """Tell the submitter that we cannot continue, without details."""
    withdrawn = Application.objects.exclude(withdrawn_at=None)
    if not withdrawn.filter(public_id=event.subject_id).exists():
        _send("application_declined", event)


def mentioned(event: Event) -> None:
    """Tell the colleagues whom a note mentions, as long as they are on our staff."""
    rows = CaseNote.objects.select_related("application__business", "author")
    note = rows.get(public_id=event.subject_id)
    context = {"note": note, "application": note.application}
    path = f"{note.application.case_url}#{note.public_id}"
    readers = Permission.CONFIDENTIAL_VIEW if note.is_confidential else Permission.REVIEW_VIEW
    for person in staff.people_with(readers).filter(public_id__in=note.mentioned):
        mail.send("case_note", person.email, {**context, "person": person, "path": path})


def assigned(event: Event) -> None:
    """Tell the reviewer to whom a colleague assigned a case."""
    rows = Application.objects.select_related("business", "case_owner")
    application = rows.get(public_id=event.subject_id)
    person = application.case_owner
    if person is None or person.public_id == event.payload["by"]:
        return
    if staff.people_with(Permission.CHECK_DECIDE).filter(pk=person.pk).exists():
        context = {"application": application, "person": person, "path": application.case_url}
        mail.send("case_assigned", person.email, context)


def _send(template: str, event: Event, *, optional: OptionalMail | None = None) -> None:
    rows = Application.objects.select_related("business", "submission__submitted_by", "assessment")
    application = rows.get(public_id=event.subject_id)
    if application.submission is None:
        return
    context = {
        "application": application,
        "due": application_progress.promised(application),
        "path": application.get_absolute_url(),
    }
    for person in readers(application.business, application.submission.submitted_by):
        if optional not in person.unwanted_mail:
            mail.send(template, person.email, {**context, "person": person})


def readers(business: Business, submitted_by: User) -> list[User]:
    """Return the submitter or, if they have left, everyone who may submit."""
    if submitted_by.is_active and access.roles_of(submitted_by, business):
        return [submitted_by]
    rows = Membership.objects.filter(
        business=business, role__in=holders(Permission.APPLICATION_SUBMIT), user__is_active=True
    )
    return list(User.objects.filter(pk__in=rows.values("user")).order_by("pk"))
