"""Starting and withdrawing an application, and closing forgotten drafts."""

from datetime import timedelta

import pytest
import time_machine

from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.audit.models import Entry
from console.core import clock
from console.core.refusals import NotAllowed, WrongStatus
from onboarding.intake import applications
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Application
from onboarding.questionnaire import loading
from tests import factories


def start(business):
    return applications.start(business, by=factories.owner_of(business))


def test_it_opens_the_current_edition():
    application = start(factories.a_business())

    assert application.status == ApplicationStatus.DRAFT
    assert application.edition == loading.EDITIONS.newest().version
    assert Entry.objects.get(code="application.started").subject_id == application.public_id


def test_a_business_has_one_open_application(application):
    with pytest.raises(applications.AlreadyOpen):
        start(application.business)

    assert Application.objects.count() == 1


def test_it_may_start_again_after_withdrawing():
    application = factories.an_application(ApplicationStatus.WITHDRAWN)

    assert start(application.business).pk != application.pk


def test_only_who_answers_may_start():
    business = factories.a_business()

    with pytest.raises(NotAllowed):
        applications.start(business, by=factories.a_member(business, Role.VIEWER))


@pytest.mark.parametrize(
    "at",
    [
        ApplicationStatus.DRAFT,
        ApplicationStatus.SUBMITTED,
        ApplicationStatus.RETURNED,
        ApplicationStatus.CLEARED,
    ],
)
def test_it_is_taken_back(at):
    application = factories.an_application(at)
    owner = factories.owner_of(application.business)

    assert applications.withdraw(application, by=owner).status == ApplicationStatus.WITHDRAWN


def test_what_is_held_is_withdrawn_for_its_business_once_and_stays_on_hold():
    application = factories.an_application(ApplicationStatus.HELD)
    owner = factories.owner_of(application.business)

    held = applications.withdraw(application, by=owner)

    assert (held.status, held.told_status) == (ApplicationStatus.HELD, ApplicationStatus.WITHDRAWN)
    with pytest.raises(WrongStatus, match="already “withdrawn”"):
        applications.withdraw(held, by=owner)


def test_a_stranger_may_not_take_it_back():
    with pytest.raises(NotAllowed):
        applications.withdraw(factories.an_application(), by=factories.a_person())


def test_a_forgotten_draft_is_closed(application):
    with time_machine.travel(clock.now() + timedelta(days=91), tick=False):
        applications.expire_forgotten()
        applications.expire_forgotten()

    assert factories.fresh(application).status == ApplicationStatus.EXPIRED
    assert Entry.objects.filter(code="application.expired").count() == 1


def test_one_that_is_worked_on_is_not(application):
    with time_machine.travel(clock.now() + timedelta(days=89), tick=False):
        applications.expire_forgotten()
    with pytest.raises(applications.NotForgotten):
        applications.expire(application, by=SYSTEM)

    assert factories.fresh(application).status == ApplicationStatus.DRAFT
