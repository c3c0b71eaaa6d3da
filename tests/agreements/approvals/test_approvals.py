"""Who may decide on a pack: as many as its tier asks for, nobody twice, nobody on their own."""

import pytest

from agreements.approvals import approvals, countersigning
from agreements.lifecycle import DecisionRole, PackStatus
from agreements.packs import generating, packs
from agreements.packs.packs import TooLate
from agreements.sealing import execution
from console.accounts import staff
from console.accounts.actors import SYSTEM
from console.accounts.models import Membership
from console.accounts.roles import Role
from console.core.refusals import NotAllowed
from onboarding.case_acts import OtherCapacity
from onboarding.intake import applications
from onboarding.lifecycle import ApplicationStatus
from onboarding.review import decisions
from tests import given
from tests.onboarding import answered


def approved_by(pack, role, person):
    approvals.approve(pack, role, signed_set_sha256=given.signed_set(pack), by=person)


def answered_anew(pack, **changes):
    """The pack of an application that came back, was answered anew, and cleared again."""
    owner = given.owner_of(pack.business)
    application = given.fresh(pack.application)
    application = given.filled(application, ow_signatory_email=owner.email, **changes)
    application = applications.submit(application, declared=True, by=owner)
    packs.prepare(given.cleared(application), by=SYSTEM)
    generating.run(given.fresh_pack(pack))
    return given.walked(given.fresh_pack(pack), PackStatus.IN_APPROVAL)


def test_new_answers_with_another_tier_ask_for_that_tiers_approvers():
    pack = given.a_pack(PackStatus.RETURNED)
    assert pack.tier == "LOW"

    pack = answered_anew(pack, **answered.HIGH)

    assert pack.tier == "HIGH"
    assert approvals.places_left(pack, DecisionRole.COMPLIANCE) == 2


def test_who_decided_in_one_role_decides_on_that_case_in_no_other():
    lawyer = given.one_of_staff(Role.LEGAL, Role.COMMERCIAL, Role.COUNTERSIGNATORY)
    pack, note = given.a_pack(PackStatus.IN_APPROVAL), "Name the second director."
    seen = given.signed_set(pack)
    approvals.send_back(pack, DecisionRole.LEGAL, signed_set_sha256=seen, note=note, by=lawyer)

    pack = answered_anew(pack)

    with pytest.raises(OtherCapacity, match="decided on this case as Legal before"):
        approved_by(pack, DecisionRole.COMMERCIAL, lawyer)
    approved_by(pack, DecisionRole.LEGAL, lawyer)
    pack = given.walked(given.fresh_pack(pack), PackStatus.APPROVED)
    with pytest.raises(OtherCapacity, match="else must decide as Countersignatory"):
        countersigning.countersign(pack, signed_set_sha256=given.signed_set(pack), by=lawyer)


def test_nobody_judges_their_own_business():
    pack = given.a_pack(PackStatus.IN_APPROVAL)
    signatory = given.owner_of(pack.business)
    for role in (Role.COMPLIANCE, Role.LEGAL, Role.COUNTERSIGNATORY):
        staff.give_role(signatory, role, by=SYSTEM)

    with pytest.raises(NotAllowed, match="You belong to this business"):
        approved_by(pack, DecisionRole.LEGAL, signatory)
    with pytest.raises(NotAllowed, match="You belong to this business"):
        decisions.hold(pack.application, note="Wait.", by=signatory)
    pack = given.walked(pack, PackStatus.APPROVED)
    with pytest.raises(NotAllowed, match="You belong to this business"):
        countersigning.countersign(pack, signed_set_sha256=given.signed_set(pack), by=signatory)


def test_who_signed_decides_nothing_after_leaving_the_business():
    pack = given.a_pack(PackStatus.IN_APPROVAL)
    signatory = given.owner_of(pack.business)
    Membership.objects.filter(user=signatory, business=pack.business).delete()
    staff.give_role(signatory, Role.LEGAL, by=SYSTEM)

    with pytest.raises(NotAllowed, match="You once belonged to this business"):
        approved_by(pack, DecisionRole.LEGAL, signatory)


def test_a_hold_comes_too_late_for_what_is_countersigned():
    pack = given.a_pack(PackStatus.COUNTERSIGNING)

    with pytest.raises(TooLate):
        decisions.hold(pack.application, note="Wait.", by=given.one_of_staff(Role.COMPLIANCE))

    assert given.fresh(pack.application).status == ApplicationStatus.CLEARED
    execution.seal(given.fresh_pack(pack))
    assert given.fresh_pack(pack).status == PackStatus.EXECUTED


@pytest.mark.parametrize(
    ("at", "room", "step", "times", "then"),
    [
        (PackStatus.COUNTERSIGNING, execution, "seal", 5, PackStatus.SEAL_FAILED),
        (PackStatus.GENERATING, generating, "run", 3, PackStatus.QUARANTINED),
    ],
)
def test_what_nobody_thought_of_is_counted_too(monkeypatch, at, room, step, times, then):
    pack = given.a_pack(at)
    name = "_make" if room is execution else "_generate"
    monkeypatch.setattr(room, name, lambda *_: [].pop())

    for _ in range(times):
        with pytest.raises(IndexError):
            getattr(room, step)(given.fresh_pack(pack))

    stopped = given.fresh_pack(pack)
    assert stopped.status == then
    assert stopped.trouble == "IndexError: pop from empty list"
