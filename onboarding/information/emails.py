"""E-mails about requests for information. They do not say what is asked."""

from django.urls import reverse

from console.accounts import staff
from console.accounts.roles import Permission
from console.events.models import Event
from console.shell import mail
from onboarding import emails
from onboarding.information.models import InformationRequest


def tell_business(event: Event) -> None:
    """Tell the submitter that we ask for information, or remind them, unless they know already."""
    asked = _asked(event)
    first = event.kind != "information_request.reminded"
    if not asked.is_open or event.payload.get("is_told"):
        return
    submission = asked.application.submission
    assert submission is not None
    path = reverse("onboarding:requests", args=[asked.business.public_id])
    context = {"asked": asked, "application": asked.application, "first": first, "path": path}
    for person in emails.readers(asked.business, submission.submitted_by):
        mail.send("information_requested", person.email, {**context, "person": person})


def tell_us(event: Event) -> None:
    """Tell the case's owner, or else whoever asked, that the business has answered."""
    asked = _asked(event)
    person = asked.application.case_owner or asked.asked_by
    if staff.people_with(Permission.CHECK_DECIDE).filter(pk=person.pk).exists():
        context = {"asked": asked, "application": asked.application, "person": person}
        mail.send("information_answered", person.email, context)


def _asked(event: Event) -> InformationRequest:
    rows = InformationRequest.objects.select_related(
        "application__business", "application__case_owner", "asked_by",
        "application__submission__submitted_by",
    )  # fmt: skip
    return rows.get(public_id=event.subject_id)
