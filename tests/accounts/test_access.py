"""Permissions: people by their roles, the system always, nobody else without an account."""

import pytest

from console.accounts import access
from console.accounts.actors import RECIPIENT, SYSTEM, MachineActor
from console.accounts.roles import Permission, Role
from console.core.refusals import NotAllowed
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import CaseAct
from onboarding.review import decisions
from tests import factories


def test_the_machine_needs_no_permission():
    business = factories.a_business("Kettle & Kiosk")
    for permission in Permission:
        access.require(SYSTEM, permission)
        access.require(SYSTEM, permission, business)


# Having the same name as the system actor gives no permissions.
@pytest.mark.parametrize(
    "by", [RECIPIENT, MachineActor(SYSTEM.name)], ids=["recipient", "namesake"]
)
def test_nobody_else_without_an_account_has_one(by):
    for permission in Permission:
        with pytest.raises(NotAllowed):
            access.require(by, permission)


def test_a_person_needs_a_role_that_brings_it():
    person = factories.one_of_staff(Role.COMPLIANCE)
    access.require(person, Permission.APPLICATION_HOLD)
    with pytest.raises(NotAllowed, match="Your role does not include this"):
        access.require(person, Permission.PACK_COUNTERSIGN)


def test_a_verb_that_the_machine_may_call_is_closed_to_others():
    application = factories.an_application(ApplicationStatus.SUBMITTED)
    for by in (RECIPIENT, factories.one_of_staff(Role.LEGAL)):
        with pytest.raises(NotAllowed):
            decisions.hold(application, note="Wait.", by=by)
    assert factories.fresh(application).status == ApplicationStatus.SUBMITTED

    decisions.hold(application, note="Wait.", by=SYSTEM)

    assert factories.fresh(application).status == ApplicationStatus.HELD
    assert not CaseAct.objects.exists()
