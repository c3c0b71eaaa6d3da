"""Reviewers' decisions about an application: return, hold, release, decline, clear."""

import pytest

from console.accounts.actors import SYSTEM
from console.accounts.roles import GRANTS, STAFF, Permission, Role
from console.audit.models import Entry
from console.core.refusals import NotAllowed, ReasonMissing, WrongStatus
from console.events.models import Event
from onboarding.intake import applications
from onboarding.lifecycle import ApplicationStatus
from onboarding.review import decisions
from tests import factories
from tests.onboarding import answered

VERBS = {
    ApplicationStatus.RETURNED: (decisions.return_for_changes, Permission.APPLICATION_RETURN),
    ApplicationStatus.HELD: (decisions.hold, Permission.APPLICATION_HOLD),
    ApplicationStatus.DECLINED: (decisions.decline, Permission.APPLICATION_DECLINE),
}
NOTE = "The owners add up to ninety."
by_verb = pytest.mark.parametrize("to", VERBS, ids=str)


def press(to, application, *, note=NOTE, by=None):
    by = by or factories.one_of_staff(Role.COMPLIANCE)
    return VERBS[to][0](application, note=note, by=by)


@by_verb
def test_it_moves_the_application_and_tells_the_business_only_what_to_change(to):
    application = press(to, factories.an_application(ApplicationStatus.SUBMITTED))

    assert application.status == to
    assert application.message == (NOTE if to == ApplicationStatus.RETURNED else "")
    assert Event.objects.filter(kind=f"application.{to}").count() == 1
    assert NOTE in Entry.objects.get(code=f"application.{to}").body


@by_verb
def test_it_asks_for_a_reason(to):
    with pytest.raises(ReasonMissing):
        press(to, factories.an_application(ApplicationStatus.SUBMITTED), note="  ")


@by_verb
def test_the_business_may_not(to):
    application = factories.an_application(ApplicationStatus.SUBMITTED)

    with pytest.raises(NotAllowed):
        press(to, application, by=factories.owner_of(application.business))


@by_verb
def test_staff_may_only_with_the_right_role(to):
    application = factories.an_application(ApplicationStatus.SUBMITTED)
    may = [role for role in STAFF if VERBS[to][1] in GRANTS[role]]
    for role in set(STAFF) - set(may):
        with pytest.raises(NotAllowed):
            press(to, application, by=factories.one_of_staff(role))
    assert press(to, application, by=factories.one_of_staff(may[0])).status == to


@by_verb
def test_it_happens_once(to):
    application = press(to, factories.an_application(ApplicationStatus.SUBMITTED))

    with pytest.raises(WrongStatus):
        press(to, application)


@by_verb
def test_nothing_is_kept_when_the_log_cannot_be_written(to, monkeypatch):
    application = factories.an_application(ApplicationStatus.SUBMITTED)
    reviewer = factories.one_of_staff(Role.COMPLIANCE)
    monkeypatch.setattr("console.audit.log.Entry.objects.create", fail)

    with pytest.raises(ZeroDivisionError):
        press(to, application, by=reviewer)

    assert factories.fresh(application).status == ApplicationStatus.SUBMITTED


def test_a_hold_ends_where_it_began():
    held = factories.an_application(ApplicationStatus.HELD)

    released = decisions.release(held, note=NOTE, by=factories.one_of_staff(Role.COMPLIANCE))

    assert released.status == ApplicationStatus.SUBMITTED
    assert released.released_at


def test_the_system_does_not_clear_high():
    application = factories.a_reviewed_application(**answered.HIGH)

    with pytest.raises(decisions.CannotClear) as refusal:
        decisions.clear(application, by=SYSTEM)

    assert [b.code for b in refusal.value.blockers] == ["needs_a_person"]


def test_clearing_says_what_stands_in_the_way():
    with pytest.raises(decisions.CannotClear) as refusal:
        decisions.clear(
            factories.an_application(ApplicationStatus.SUBMITTED),
            by=factories.one_of_staff(Role.COMPLIANCE),
        )

    assert [b.code for b in refusal.value.blockers] == ["assessment", "checks"]


@pytest.mark.parametrize("role", [Role.COMMERCIAL, Role.LEGAL, Role.AUDITOR])
def test_clearing_takes_compliance(role):
    application = factories.a_reviewed_application(**answered.HIGH)

    with pytest.raises(NotAllowed):
        decisions.clear(application, by=factories.one_of_staff(role))


def test_clearing_happens_once():
    application = factories.an_application(ApplicationStatus.CLEARED)

    with pytest.raises(WrongStatus):
        decisions.clear(application, by=factories.one_of_staff(Role.COMPLIANCE))


def test_an_executed_pack_ends_the_application():
    executed = factories.an_application(ApplicationStatus.EXECUTED)

    assert executed.status == ApplicationStatus.EXECUTED
    with pytest.raises(WrongStatus):
        applications.mark_executed(executed, by=SYSTEM)


def fail(**_):
    raise ZeroDivisionError
