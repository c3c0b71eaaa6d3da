"""E-mails that tell a business the status of its application."""

import pytest
from django.core import mail as outgoing

from console.accounts.models import Membership
from console.accounts.roles import Role
from console.events import outbox
from console.events.models import EventDelivery
from onboarding.lifecycle import ApplicationStatus
from onboarding.review import decisions
from tests import factories
from tests.onboarding import answered


def mails():
    waiting = EventDelivery.objects.waiting().filter(listener="onboarding.emails")
    for delivery in waiting.order_by("pk"):
        assert outbox.handle(delivery.pk)
    return [(mail.to, mail.subject, mail.body) for mail in outgoing.outbox]


def test_whoever_submits_is_told_that_it_arrived_and_by_when():
    application = factories.an_application(ApplicationStatus.SUBMITTED)

    [(to, subject, text)] = mails()

    assert to == [application.submission.submitted_by.email]
    assert subject == "We have received your answers"
    assert application.submission.submission_sha256 in text
    assert application.get_absolute_url() in text


def test_what_to_change_is_read_in_the_console_and_not_in_the_mail():
    factories.an_application(ApplicationStatus.RETURNED)

    _, (_, subject, text) = mails()

    assert subject == "Please change some answers"
    assert "owners again" not in text


def test_changes_are_mailed_after_clearing_too():
    application = factories.an_application(ApplicationStatus.CLEARED)
    reviewer = factories.one_of_staff(Role.COMPLIANCE)
    decisions.return_for_changes(application, note="Name the owners again.", by=reviewer)

    assert [subject for _, subject, _ in mails()][-1] == "Please change some answers"


def test_a_refusal_gives_no_reason():
    factories.an_application(ApplicationStatus.DECLINED)

    _, (_, _, text) = mails()

    assert "REVIEW_DECLINED" in text
    assert "owners again" not in text


@pytest.mark.parametrize("at", [ApplicationStatus.HELD, ApplicationStatus.WITHDRAWN])
def test_a_hold_and_a_withdrawal_are_not_mailed(at):
    factories.an_application(at)

    assert len(mails()) == (1 if at == ApplicationStatus.HELD else 0)


def test_the_end_of_a_hold_is_not_told_as_a_new_arrival():
    application = factories.a_reviewed_application(**answered.DECLARED)
    decisions.release(application, note="Fine.", by=factories.one_of_staff(Role.COMPLIANCE))

    assert [subject for _, subject, _ in mails()] == ["We have received your answers"]


def test_who_submitted_and_left_is_told_no_more_and_those_who_submit_now_are():
    application = factories.an_application(ApplicationStatus.SUBMITTED)
    gone, business = application.submission.submitted_by, application.business
    heirs = [factories.a_member(business, role) for role in (Role.OWNER, Role.ADMINISTRATOR)]
    factories.a_member(business, Role.VIEWER)
    Membership.objects.of(gone, business).delete()

    told = mails()

    assert sorted(to for to, _, _ in told) == sorted([person.email] for person in heirs)
    assert all(f"Hello {p.name}," in "".join(text for _, _, text in told) for p in heirs)
