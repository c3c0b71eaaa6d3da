"""Two former ways around four eyes, replayed step by step."""

from functools import partial

import pytest

from agreements.approvals import approvals
from agreements.casework import work_queue
from agreements.lifecycle import DecisionRole, PackStatus
from console.accounts import access, businesses, members, staff
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.core.refusals import Refused
from onboarding.checks import runs
from onboarding.lifecycle import ActKind, ApplicationStatus
from onboarding.models import CaseAct
from onboarding.review import decisions, event_handlers
from tests import factories
from tests.onboarding import answered


def in_review_at_high(business):
    """Return an application that waits for compliance's decision to proceed."""
    application = factories.an_application(
        ApplicationStatus.SUBMITTED, business=business, **answered.HIGH
    )
    assert application.submission is not None
    runs.run_all(application.submission)
    return event_handlers.go_on(factories.fresh(application))


def test_who_registered_submitted_and_left_clears_nothing():
    reviewer, successor = factories.one_of_staff(Role.COMPLIANCE), factories.a_person()
    business = businesses.register("Kettle & Kiosk", by=reviewer)
    application = in_review_at_high(business)
    invitation = members.invite(business, email=successor.email, role=Role.OWNER, by=reviewer)
    members.accept(members.invitation_token(invitation), by=successor)
    members.set_roles(business, reviewer, [], by=reviewer)

    with pytest.raises(Refused, match="belong to this business"):
        decisions.clear(application, by=reviewer)

    assert factories.fresh(application).status == ApplicationStatus.SUBMITTED


def approved_as_compliance(pack, *people):
    seen = factories.signed_set(pack)
    for one in people:
        approvals.approve(
            pack, DecisionRole.COMPLIANCE, signed_set_sha256=seen, proof=factories.BY_CODE, by=one
        )


def test_who_approved_as_head_has_done_so_whatever_role_follows():
    pack = factories.a_pack(PackStatus.IN_APPROVAL, tier="HIGH")
    head, other = map(factories.one_of_staff, (Role.HEAD_OF_COMPLIANCE, Role.COMPLIANCE))
    approved_as_compliance(pack, head)
    staff.take_role(head, Role.HEAD_OF_COMPLIANCE, by=SYSTEM)

    approved_as_compliance(pack, other)

    assert approvals.places_left(pack, DecisionRole.COMPLIANCE) == 0


def test_who_became_head_later_did_not_approve_as_head():
    pack = factories.a_pack(PackStatus.IN_APPROVAL, tier="HIGH")
    one, other = factories.one_of_staff(Role.COMPLIANCE), factories.one_of_staff(Role.COMPLIANCE)
    approved_as_compliance(pack, one)
    staff.give_role(one, Role.HEAD_OF_COMPLIANCE, by=SYSTEM)

    with pytest.raises(Refused, match="the head of compliance must give one"):
        approved_as_compliance(pack, other)


def test_who_cleared_as_compliance_does_not_approve_as_legal():
    pack = factories.a_pack(PackStatus.IN_APPROVAL, tier="HIGH")
    reviewer = CaseAct.objects.get(
        reviewer__application=pack.application, kind=ActKind.CLEAR
    ).reviewer.person
    staff.take_role(reviewer, Role.HEAD_OF_COMPLIANCE, by=SYSTEM)
    staff.give_role(reviewer, Role.LEGAL, by=SYSTEM)

    assert not work_queue.waiting(reviewer, partial(access.can, reviewer)).exists()
    seen = factories.signed_set(pack)
    with pytest.raises(Refused, match="already decided on this case as Compliance"):
        approvals.approve(
            pack, DecisionRole.LEGAL, signed_set_sha256=seen, proof=factories.BY_CODE, by=reviewer
        )

    assert approvals.places_left(pack, DecisionRole.LEGAL) == 1
