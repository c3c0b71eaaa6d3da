"""Two members of compliance can waive a check; passed checks and waivers expire."""

from datetime import timedelta

import pytest
import time_machine
from django.urls import reverse

from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.audit.models import Entry
from console.core import clock
from console.core.refusals import NotAllowed, ReasonMissing, Refused, Stale
from console.events.models import Event
from onboarding.checks import full, runs, validity, waivers
from onboarding.lifecycle import ActKind, ApplicationStatus, CheckStatus
from onboarding.models import CaseAct, Check, CheckWaiver
from tests import factories
from tests.databases import refused_by

WHY = "We have the extract of the register on paper, dated this month."


@pytest.fixture
def check():
    """Return a failed check of a case in review."""
    application = factories.a_reviewed_application()
    assert application.submission is not None
    found = application.submission.checks.in_order()[0]
    Check.objects.filter(pk=found.pk).update(status=CheckStatus.RUNNING)
    Check.objects.filter(pk=found.pk).update(status=CheckStatus.FAILED)
    found.refresh_from_db()
    return found


def reviewers():
    return factories.one_of_staff(Role.COMPLIANCE), factories.one_of_staff(Role.HEAD_OF_COMPLIANCE)


def proposed(check, by, days=90):
    ends_at = clock.now() + timedelta(days=days)
    return waivers.propose(check, reason=WHY, ends_at=ends_at, by=by)


def test_two_people_waive_a_check_until_its_end(check):
    first, second = reviewers()
    waiver = proposed(check, first)
    with pytest.raises(Stale):
        proposed(check, second)
    with pytest.raises(NotAllowed, match="You proposed"):
        waivers.decide(waiver, confirmed=True, reason="Fine.", by=first)
    waivers.decide(waiver, confirmed=True, reason="I saw it too.", by=second)
    check.refresh_from_db()
    assert (check.status, check.valid_until) == (CheckStatus.WAIVED, waiver.ends_at)
    with pytest.raises(Stale):
        waivers.decide(waiver, confirmed=True, reason="Again.", by=reviewers()[0])
    assert Event.objects.filter(kind="check.decided", subject_id=check.public_id).count() == 1
    assert Entry.objects.filter(subject_id=waiver.public_id).count() == 2
    acts = CaseAct.objects.filter(decided_check=check).values_list("kind", flat=True)
    assert set(acts) == {ActKind.PROPOSE_WAIVER, ActKind.CONFIRM_WAIVER}


def test_a_refused_waiver_leaves_the_check_and_another_may_follow(check):
    first, second = reviewers()
    waivers.decide(proposed(check, first), confirmed=False, reason="Not enough.", by=second)
    check.refresh_from_db()
    assert check.status == CheckStatus.FAILED
    assert proposed(check, second).decided_at is None


def test_a_page_of_an_earlier_waiver_does_not_confirm_the_next(check, client):
    first, second = reviewers()
    factories.signed_in(client, second)
    page = reverse("onboarding:decide_waiver", args=[check.public_id])
    earlier = proposed(check, first)
    assert f'name="seen" value="{earlier.public_id}"' in client.get(page).text
    waivers.decide(earlier, confirmed=False, reason="Not enough.", by=second)
    proposed(check, first, 365)

    typed = {"confirmed": "yes", "reason": "Long enough.", "seen": earlier.public_id}
    late = client.post(page, typed)
    assert late.status_code == 409
    assert "Another waiver of this check" in late.text
    check.refresh_from_db()
    assert check.status == CheckStatus.FAILED


def test_it_is_refused_to_who_may_not_and_without_a_reason_or_an_end(check):
    first, _ = reviewers()
    for person in (factories.one_of_staff(Role.LEGAL), factories.owner_of(check.business)):
        with pytest.raises(NotAllowed):
            proposed(check, person)
    with pytest.raises(ReasonMissing):
        waivers.propose(check, reason=" ", ends_at=clock.now() + timedelta(days=1), by=first)
    for days in (0, -1, 366):
        with pytest.raises(waivers.UnusableEnd):
            proposed(check, first, days)
    passed = check.submission.checks.exclude(pk=check.pk)[0]
    with pytest.raises(Refused):
        proposed(passed, first)
    assert not CheckWaiver.objects.exists()


def test_the_database_refuses_it_too(check):
    first, second = reviewers()
    waive = "UPDATE onboarding_check SET status = 'waived', valid_until = now() WHERE id = %s"
    assert refused_by(waive, check.pk) == "a_check_is_waived_by_two"
    waiver = proposed(check, first)
    assert refused_by(waive, check.pk) == "a_check_is_waived_by_two"
    decide = (
        "UPDATE onboarding_checkwaiver SET confirmed = true, decided_by_id = %s,"
        " decided_at = now(), decision_reason = 'x' WHERE id = %s"
    )
    assert refused_by(decide, second.pk, waiver.pk) == "a_waiver_is_by_reviewers_of_its_case"
    assert refused_by(decide, first.pk, waiver.pk) == "two_people_waive_a_check"
    longer = "UPDATE onboarding_checkwaiver SET ends_at = now() + '9 years' WHERE id = %s"
    assert refused_by(longer, waiver.pk) == "a_decided_waiver_stays"


def test_what_has_passed_counts_for_its_time_and_is_run_again_by_itself():
    """This includes executed applications, whose score and status do not change."""
    application = factories.an_application(ApplicationStatus.EXECUTED)
    assert application.submission is not None
    screening = application.submission.checks.get(kind="screening", subject="company")
    days = validity.VALID_DAYS["screening"] / 2  # it ran before the first score
    assert screening.valid_until is not None
    assert abs(screening.valid_until - clock.now() - timedelta(days=days)) < timedelta(minutes=1)
    runs.expire_outlived()
    assert full.blockers_of(application.business) == []

    with time_machine.travel(clock.now() + timedelta(days=days, minutes=1), tick=False):
        runs.expire_outlived()
        runs.expire_outlived()
        screening.refresh_from_db()
        assert screening.status == CheckStatus.EXPIRED
        told = Event.objects.filter(subject_id=screening.public_id)
        for kind in ("check.expired", "check.asked_again"):
            assert told.filter(kind=kind).count() == 1
        assert [one.code for one in full.blockers_of(application.business)] == ["checks"]
        factories.settle_reviews()
        screening.refresh_from_db()
        assert screening.status == CheckStatus.PASSED
        assert screening.valid_until is not None
        assert screening.valid_until > clock.now()
        assert full.blockers_of(application.business) == []
    assert factories.fresh(application).status == ApplicationStatus.EXECUTED


def test_a_waiver_ends_at_its_end(check):
    first, second = reviewers()
    waivers.decide(proposed(check, first, 30), confirmed=True, reason="I saw it.", by=second)
    with time_machine.travel(clock.now() + timedelta(days=30, minutes=1), tick=False):
        check = runs.expire(check, by=SYSTEM)
    assert check.status == CheckStatus.EXPIRED
