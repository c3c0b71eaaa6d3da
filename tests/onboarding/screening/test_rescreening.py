"""When a list changes, parties are screened against what is new, and the business sees nothing."""

from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from console.accounts.roles import Role
from console.core import clock, schedule
from console.events.models import Event
from onboarding.checks import runs
from onboarding.lifecycle import ApplicationStatus, CheckStatus
from onboarding.models import Application, Check
from onboarding.models.check import CheckKind
from onboarding.review import decisions
from onboarding.screening import rescreening
from onboarding.screening.models import Rescreening, WaitingParty
from tests import factories
from tests.onboarding import answered
from tests.onboarding.review.test_tipping_off import pages_of
from tests.onboarding.screening import files
from tests.onboarding.screening.commands import screening

# The simulated provider finds this name. A reviewer has decided that it is somebody else.
NAME = "Sanctioned Sam"
OWNERS = [
    {"name": NAME, "share": "60", "country": "GB", "born": "1984-05-02"},
    {"name": "Ifan Rhys", "share": "40", "country": "GB", "born": "1979-11-30"},
]


def run() -> None:
    """Run the scheduled job, and what it asked for."""
    schedule.named("screening.rescreen").run()
    factories.settle()


def decide(check: Check) -> None:
    by = factories.one_of_staff(Role.COMPLIANCE)
    runs.decide(check, passed=True, reason="Born in another year.", by=by)
    factories.settle()


@pytest.fixture
def application() -> Application:
    """Return an application in review whose checks have all passed."""
    application = factories.a_reviewed_application(**answered.HIGH | {"ow_owners": OWNERS})
    decide(Check.objects.get(status=CheckStatus.NEEDS_REVIEW))
    assert not Check.objects.exclude(status=CheckStatus.PASSED).exists()
    return factories.fresh(application)


def a_new_version(tmp_path, *names: str, day: int = 1) -> None:
    """Import a list with entries of these names."""
    text = files.un(names, date=f"2026-11-{day:02}").replace("Listed</", "</")
    screening("import", "un", files.written(tmp_path / "un.xml", text), "--accept-loss")


def asked_again() -> list[str]:
    """Return the names whose check was requested again."""
    events = Event.objects.filter(kind="check.asked_again").values("subject_id")
    checks = Check.objects.filter(public_id__in=events)
    return sorted(checks.values_list("subject_name", flat=True))


def progress() -> str:
    staff = factories.signed_in(Client(), factories.one_of_staff(Role.OPERATOR))
    page = staff.get(reverse("governance:work")).text
    (line,) = (one for one in page.splitlines() if "parties against" in one)
    return line


def test_a_new_entry_with_a_similar_name_becomes_a_task_and_nothing_else_changes(
    application, tmp_path
):
    before = dict(Check.objects.values_list("pk", "finished_at"))

    a_new_version(tmp_path, NAME, "Vorkesh Trading")
    run()

    (check,) = Check.objects.filter(status=CheckStatus.NEEDS_REVIEW)
    assert check.subject_name == NAME
    staff = factories.signed_in(Client(), factories.one_of_staff(Role.COMPLIANCE))
    assert NAME in staff.get(reverse("onboarding:sanctions_lists")).text
    assert asked_again() == [NAME]
    after = dict(Check.objects.values_list("pk", "finished_at"))
    assert [pk for pk in after if after[pk] != before[pk]] == [check.pk]
    count = Check.objects.filter(kind=CheckKind.SCREENING).count()
    assert f"{count} of {count} parties" in progress()
    run()
    assert asked_again() == [NAME]


def test_only_what_changed_is_compared(application, tmp_path):
    a_new_version(tmp_path, "Vorkesh Trading", NAME)
    run()
    decide(Check.objects.get(status=CheckStatus.NEEDS_REVIEW))

    a_new_version(tmp_path, "Vorkesh Trading", NAME, "Newcomer", day=2)
    run()

    assert not Check.objects.filter(status=CheckStatus.NEEDS_REVIEW).exists()
    assert Rescreening.objects.order_by("pk").last().match_count == 0


def test_a_version_that_was_soon_superseded_is_screened_too(application, tmp_path):
    a_new_version(tmp_path, NAME)
    a_new_version(tmp_path, NAME, "Newcomer", day=2)
    run()

    assert Check.objects.filter(status=CheckStatus.NEEDS_REVIEW).count() == 1
    assert Rescreening.objects.exclude(ended_at=None).count() == 2


def test_a_party_under_review_waits_for_the_decision(application, tmp_path):
    a_new_version(tmp_path, NAME)
    run()
    check = Check.objects.get(status=CheckStatus.NEEDS_REVIEW)

    changed = "<GENDER>Male</GENDER>"
    text = files.un([NAME], date="2026-11-02", more=changed).replace("Listed</", "</")
    screening("import", "un", files.written(tmp_path / "2.xml", text))
    with_new_content = files.un([NAME], date="2026-11-03", more="<GENDER>X</GENDER>")
    screening("import", "un", files.written(tmp_path / "3.xml", with_new_content))
    run()
    waiting = WaitingParty.objects.filter(screening=check)
    if runs.CHECK_LIFECYCLE.allows(CheckStatus.NEEDS_REVIEW, CheckStatus.RUNNING):
        assert not waiting.exists()
        return
    assert waiting.exists()

    decide(check)
    run()

    assert not waiting.exists()
    assert Check.objects.get(pk=check.pk).status == CheckStatus.NEEDS_REVIEW


def test_an_interrupted_run_goes_on_where_it_stopped(application, tmp_path, monkeypatch):
    a_new_version(tmp_path, NAME)
    with monkeypatch.context() as broken:
        # The worker ends after half of the parties.
        resembles, calls = rescreening._resembles_an_entry, iter(range(10))

        def last(*words):
            if next(calls) == 1:
                raise SystemExit
            return resembles(*words)

        broken.setattr(rescreening, "_resembles_an_entry", last)
        with pytest.raises(SystemExit):
            rescreening.rescreen()
    left = WaitingParty.objects.count()
    count = Check.objects.filter(kind=CheckKind.SCREENING).count()
    assert 0 < left < count
    assert f"{count - left} of {count} parties" in progress()

    run()

    assert asked_again() == [NAME]
    assert not WaitingParty.objects.exists()


def test_it_leaves_half_of_the_time_to_others(application, tmp_path, monkeypatch):
    a_new_version(tmp_path, NAME)
    monkeypatch.setattr(rescreening, "_SECONDS", 0.0)
    run()
    assert WaitingParty.objects.exists()
    assert Rescreening.objects.get().ended_at is None


@pytest.mark.parametrize("status", [ApplicationStatus.CLEARED, ApplicationStatus.EXECUTED])
def test_a_cleared_case_and_a_business_with_access_are_screened(tmp_path, status):
    factories.an_application(status)
    director = Check.objects.filter(kind=CheckKind.SCREENING).last()

    a_new_version(tmp_path, director.subject_name)
    run()

    assert asked_again() == [director.subject_name]


def test_a_case_on_hold_is_screened_and_a_declined_one_is_not(application, tmp_path):
    by = factories.one_of_staff(Role.COMPLIANCE)
    held = decisions.hold(application, note="A question.", by=by)
    a_new_version(tmp_path, NAME)
    run()
    assert asked_again() == [NAME]

    decisions.decline(held, note="Not for us.", by=by)
    a_new_version(tmp_path, NAME, "Newcomer", day=2)
    run()
    assert Rescreening.objects.order_by("pk").last().party_count == 0


def test_the_business_sees_no_difference(application, tmp_path):
    with time_machine.travel(clock.now() + timedelta(minutes=1), tick=False):
        before = pages_of(application)
        a_new_version(tmp_path, NAME)
        run()
        assert Check.objects.filter(status=CheckStatus.NEEDS_REVIEW).exists()
        after = pages_of(application)
    assert [name for name in before if before[name] != after[name]] == []
