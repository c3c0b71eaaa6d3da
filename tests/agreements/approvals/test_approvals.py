"""Who may decide on a pack: as many as its tier requires, each once, none on their own case."""

import pytest
import time_machine

from agreements.approvals import approvals, countersigning
from agreements.lifecycle import DecisionRole, PackStatus
from agreements.packs import generating, packs
from agreements.packs.packs import TooLate
from agreements.sealing import execution
from console.accounts import factors, staff
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.core import clock
from console.core.refusals import NotAllowed
from onboarding.case_acts import OtherCapacity
from onboarding.intake import applications
from onboarding.lifecycle import ApplicationStatus
from onboarding.review import decisions
from tests import factories
from tests.onboarding import answered


def approved_by(pack, role, person):
    approvals.approve(
        pack, role, signed_set_sha256=factories.signed_set(pack), proof=factories.BY_CODE, by=person
    )


def answered_anew(pack, **changes):
    """Return the pack of an application that was sent back, answered again and cleared again."""
    owner = factories.owner_of(pack.business)
    application = factories.fresh(pack.application)
    application = factories.filled(application, ow_signatory_email=owner.email, **changes)
    application = applications.submit(application, declared=True, by=owner)
    packs.prepare(factories.cleared(application), by=SYSTEM)
    with factories.few_documents():
        generating.run(factories.fresh_pack(pack))
    return factories.walked(factories.fresh_pack(pack), PackStatus.IN_APPROVAL)


def test_new_answers_with_another_tier_ask_for_that_tiers_approvers():
    pack = factories.a_pack(PackStatus.RETURNED)
    assert pack.tier == "LOW"

    pack = answered_anew(pack, **answered.HIGH)

    assert pack.tier == "HIGH"
    assert approvals.places_left(pack, DecisionRole.COMPLIANCE) == 2


def test_who_decided_in_one_role_decides_on_that_case_in_no_other():
    lawyer = factories.one_of_staff(Role.LEGAL, Role.COMMERCIAL, Role.COUNTERSIGNATORY)
    pack, note = factories.a_pack(PackStatus.IN_APPROVAL), "Name the second director."
    seen = factories.signed_set(pack)
    approvals.send_back(pack, DecisionRole.LEGAL, signed_set_sha256=seen, note=note, by=lawyer)

    pack = answered_anew(pack)

    with pytest.raises(OtherCapacity, match="already decided on this case as Legal"):
        approved_by(pack, DecisionRole.COMMERCIAL, lawyer)
    approved_by(pack, DecisionRole.LEGAL, lawyer)
    pack = factories.walked(factories.fresh_pack(pack), PackStatus.APPROVED)
    with pytest.raises(OtherCapacity, match="else must decide as Countersignatory"):
        countersigning.countersign(
            pack, signed_set_sha256=factories.signed_set(pack), proof=factories.BY_CODE, by=lawyer
        )


def test_an_app_that_a_recovery_code_led_to_countersigns_nothing_for_a_day():
    pack = factories.a_pack(PackStatus.APPROVED)
    signatory = factories.one_of_staff(Role.COUNTERSIGNATORY)
    app = factors.begin_set_up(signatory, by=signatory)
    code = factories.a_code(app.seed)
    factors.finish_set_up(signatory, app.public_id, code, by=signatory, recovered=True)
    seen = factories.signed_set(pack)

    with pytest.raises(countersigning.CannotCountersign, match="recently added this"):
        countersigning.countersign(
            pack, signed_set_sha256=seen, proof=factories.BY_CODE, by=signatory
        )
    with time_machine.travel(clock.now() + factors.HELD_AFTER_ADDING):
        left = countersigning.blockers(pack, signatory)
    assert "held" not in {one.code for one in left}


def test_nobody_judges_their_own_business():
    pack = factories.a_pack(PackStatus.IN_APPROVAL)
    signatory = factories.owner_of(pack.business)
    for role in (Role.COMPLIANCE, Role.LEGAL, Role.COUNTERSIGNATORY):
        staff.give_role(signatory, role, by=SYSTEM)

    with pytest.raises(NotAllowed, match="You belong to this business"):
        approved_by(pack, DecisionRole.LEGAL, signatory)
    with pytest.raises(NotAllowed, match="You belong to this business"):
        decisions.hold(pack.application, note="Wait.", by=signatory)
    pack = factories.walked(pack, PackStatus.APPROVED)
    with pytest.raises(NotAllowed, match="You belong to this business"):
        countersigning.countersign(
            pack,
            signed_set_sha256=factories.signed_set(pack),
            proof=factories.BY_CODE,
            by=signatory,
        )


def test_who_signed_decides_nothing_after_leaving_the_business():
    pack = factories.a_pack(PackStatus.IN_APPROVAL)
    signatory = factories.owner_of(pack.business)
    factories.leave(pack.business, signatory)
    staff.give_role(signatory, Role.LEGAL, by=SYSTEM)

    with pytest.raises(NotAllowed, match="used to belong to this business"):
        approved_by(pack, DecisionRole.LEGAL, signatory)


def test_a_hold_comes_too_late_for_what_is_countersigned():
    pack = factories.a_pack(PackStatus.COUNTERSIGNING)

    with pytest.raises(TooLate):
        decisions.hold(pack.application, note="Wait.", by=factories.one_of_staff(Role.COMPLIANCE))

    assert factories.fresh(pack.application).status == ApplicationStatus.CLEARED
    execution.seal(factories.fresh_pack(pack))
    assert factories.fresh_pack(pack).status == PackStatus.EXECUTED


@pytest.mark.parametrize(
    ("at", "room", "step", "times", "then"),
    [
        (PackStatus.COUNTERSIGNING, execution, "seal", 5, PackStatus.SEAL_FAILED),
        (PackStatus.GENERATING, generating, "run", 3, PackStatus.QUARANTINED),
    ],
)
def test_what_nobody_thought_of_is_counted_too(monkeypatch, at, room, step, times, then):
    pack = factories.a_pack(at)
    name = "_make" if room is execution else "_render"
    monkeypatch.setattr(room, name, lambda *_: [].pop())

    for _ in range(times):
        with pytest.raises(IndexError):
            getattr(room, step)(factories.fresh_pack(pack))

    stopped = factories.fresh_pack(pack)
    assert stopped.status == then
    assert stopped.trouble == "IndexError: pop from empty list"
