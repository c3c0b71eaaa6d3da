"""E-mails about an application's status. They do not say what must be changed."""

from console.accounts import access
from console.accounts.models import Business, Membership, OptionalMail, User
from console.accounts.roles import Permission, holders
from console.events.models import Event
from console.shell import mail
from onboarding import application_progress
from onboarding.models import Application


def submitted(event: Event) -> None:
    """Confirm receipt of the answers, and say by when we will reply."""
    _send("application_submitted", event, optional=OptionalMail.RECEIPTS)


def returned(event: Event) -> None:
    """Tell the submitter that a reviewer requested changes. Packs have their own e-mail."""
    _send("application_returned", event)


def declined(event: Event) -> None:
    """Tell the submitter that we cannot continue, without details."""
    withdrawn = Application.objects.exclude(withdrawn_at=None)
    if not withdrawn.filter(public_id=event.subject_id).exists():
        _send("application_declined", event)


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
    for person in _readers(application.business, application.submission.submitted_by):
        if optional not in person.unwanted_mail:
            mail.send(template, person.email, {**context, "person": person})


def _readers(business: Business, submitted_by: User) -> list[User]:
    """Return the submitter or, if they have left, everyone who may submit."""
    if access.roles_of(submitted_by, business):
        return [submitted_by]
    rows = Membership.objects.filter(
        business=business, role__in=holders(Permission.APPLICATION_SUBMIT)
    )
    return list(User.objects.filter(pk__in=rows.values("user")).order_by("pk"))
