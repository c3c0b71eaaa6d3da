"""When a list changes, parties are screened against what is new, and the business sees nothing."""

from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from console.accounts.roles import Role
from console.core import clock, schedule
from console.events.models import Event
from onboarding.checks import list_screening
from onboarding.lifecycle import ApplicationStatus, CheckStatus
from onboarding.matches.models import MatchOutcome, PossibleMatch
from onboarding.models import Application, Check
from onboarding.models.check import CheckKind
from onboarding.review import decisions, possible_matches, rescreening
from onboarding.screening.models import Rescreening, WaitingParty
from onboarding.screening.names import KEYS_VERSION
from tests import factories
from tests.onboarding import answered
from tests.onboarding.review.test_tipping_off import pages_of
from tests.onboarding.screening import files
from tests.onboarding.screening.commands import screening

NAME = "Gorvan Petrescu"
OTHER = "Vorkesh Ostromir"
OWNERS = answered.owned_by((NAME, "60"), ("Ifan Rhys", "40"))


@pytest.fixture(autouse=True)
def _lists(settings, tmp_path) -> None:
    """Screen with the lists, of which one is in force."""
    settings.CHECK_PROVIDERS = {"screening": "lists"}
    a_new_version(tmp_path, OTHER)
    run()


@pytest.fixture
def application() -> Application:
    """Return an application in review whose checks have all passed."""
    application = factories.a_reviewed_application(**answered.HIGH | OWNERS)
    assert not Check.objects.exclude(status=CheckStatus.PASSED).exists()
    return application


def run() -> None:
    """Run the scheduled job, and what it asked for."""
    schedule.named("onboarding.rescreen").run()
    factories.settle_reviews()


def a_new_version(tmp_path, *names: str, day: int = 1, more: str = "") -> None:
    """Import a list with entries of these names."""
    text = files.un(names, date=f"2026-11-{day:02}", more=more).replace("Listed</", "</")
    screening("import", "un", files.written(tmp_path / "un.xml", text))


def asked_again() -> list[str]:
    """Return the names whose check was requested again."""
    events = Event.objects.filter(kind="check.asked_again").values("subject_id")
    checks = Check.objects.filter(public_id__in=events)
    return sorted(checks.values_list("subject_name", flat=True))


def as_staff(role: Role) -> Client:
    return factories.signed_in(Client(), factories.one_of_staff(role))


def progress() -> str:
    page = as_staff(Role.OPERATOR).get(reverse("governance:work")).text
    (line,) = (one for one in page.splitlines() if "parties against" in one)
    return line


def last() -> Rescreening:
    return Rescreening.objects.latest("pk")


def test_a_new_entry_with_a_similar_name_becomes_a_task_and_nothing_else_changes(
    application, tmp_path
):
    before = dict(Check.objects.values_list("pk", "finished_at"))

    a_new_version(tmp_path, OTHER, "Petrescu Gorvan", day=2)
    run()

    (check,) = Check.objects.filter(status=CheckStatus.NEEDS_REVIEW)
    assert check.subject_name == NAME
    page = as_staff(Role.COMPLIANCE).get(reverse("onboarding:sanctions_lists")).text
    assert NAME in page
    assert reverse("onboarding:possible_matches", args=[check.public_id]) in page
    after = dict(Check.objects.values_list("pk", "finished_at"))
    assert [pk for pk in after if after[pk] != before[pk]] == [check.pk]
    count = Check.objects.filter(kind=CheckKind.SCREENING).count()
    assert f"{count} of {count} parties" in progress()
    run()
    assert asked_again() == [NAME]


def test_only_what_is_new_is_compared(application, tmp_path):
    a_new_version(tmp_path, OTHER, NAME, day=2)
    run()
    check = Check.objects.get(status=CheckStatus.NEEDS_REVIEW)
    decide(check)

    a_new_version(tmp_path, OTHER, NAME, "Newcomer", day=3)
    run()

    assert last().match_count == 0
    assert Check.objects.get(pk=check.pk).status == CheckStatus.PASSED


def decide(check: Check) -> None:
    """Decide that every match of a check is somebody else."""
    by = factories.one_of_staff(Role.COMPLIANCE)
    for match in PossibleMatch.objects.of(check):
        possible_matches.decide(
            match, check, outcome=MatchOutcome.NOT_SAME, reason="Born in another year.", by=by
        )
    factories.settle_reviews()


def test_an_entry_with_other_content_is_a_new_match_after_the_decision(application, tmp_path):
    a_new_version(tmp_path, OTHER, NAME, day=2)
    run()
    check = Check.objects.get(status=CheckStatus.NEEDS_REVIEW)
    a_new_version(tmp_path, OTHER, NAME, day=3, more="<GENDER>Male</GENDER>")
    a_new_version(tmp_path, OTHER, NAME, day=4, more="<LISTED_ON>2026-11-01</LISTED_ON>")
    run()
    assert WaitingParty.objects.filter(screening=check).exists()
    assert last().ended_at is None

    decide(check)
    run()

    assert not WaitingParty.objects.exists()
    check.refresh_from_db()
    assert check.status == CheckStatus.NEEDS_REVIEW
    (match,) = PossibleMatch.objects.of(check)
    assert match.entry.details["listed_on"] == "2026-11-01"


def test_a_version_that_was_soon_superseded_is_screened_too(application, tmp_path):
    a_new_version(tmp_path, OTHER, NAME, day=2)
    a_new_version(tmp_path, OTHER, NAME, "Newcomer", day=3)
    run()

    assert asked_again() == [NAME]
    assert not Rescreening.objects.filter(ended_at=None).exists()


def test_an_interrupted_run_goes_on_where_it_stopped(application, tmp_path, monkeypatch):
    a_new_version(tmp_path, OTHER, NAME, day=2)
    with monkeypatch.context() as broken:
        # The worker ends after the first party.
        resembles, calls = rescreening._resembles_an_entry, iter(range(10))

        def first_only(*words):
            if next(calls) == 1:
                raise SystemExit
            return resembles(*words)

        broken.setattr(rescreening, "_resembles_an_entry", first_only)
        with pytest.raises(SystemExit):
            rescreening.rescreen()
    count = Check.objects.filter(kind=CheckKind.SCREENING).count()
    assert WaitingParty.objects.count() == count - 1
    assert f"1 of {count} parties" in progress()

    run()

    assert asked_again() == [NAME]
    assert not WaitingParty.objects.exists()


def test_it_leaves_half_of_the_time_to_others(application, tmp_path, monkeypatch):
    a_new_version(tmp_path, OTHER, NAME, day=2)
    monkeypatch.setattr(rescreening, "_SECONDS", 0.0)
    run()
    assert WaitingParty.objects.exists()
    assert last().ended_at is None


@pytest.mark.parametrize("status", [ApplicationStatus.CLEARED, ApplicationStatus.EXECUTED])
def test_a_cleared_case_and_a_business_with_access_are_screened(tmp_path, status):
    factories.an_application(status)
    owner = Check.objects.filter(kind=CheckKind.SCREENING, subject="owner.0").get()

    a_new_version(tmp_path, OTHER, owner.subject_name, day=2)
    run()

    assert asked_again() == [owner.subject_name]


def test_a_case_on_hold_is_screened_and_a_declined_one_is_not(application, tmp_path):
    by = factories.one_of_staff(Role.COMPLIANCE)
    held = decisions.hold(application, note="A question.", by=by)
    a_new_version(tmp_path, OTHER, NAME, day=2)
    run()
    assert asked_again() == [NAME]

    decisions.decline(held, note="Not for us.", by=by)
    a_new_version(tmp_path, OTHER, NAME, "Newcomer", day=3)
    run()
    assert last().party_count == 0


def test_everybody_is_screened_again_if_names_are_compared_otherwise(application, monkeypatch):
    everybody = Check.objects.filter(kind=CheckKind.SCREENING).order_by("subject_name")
    run()
    assert asked_again() == []

    newer = str(KEYS_VERSION + 1)  # as after an update
    monkeypatch.setattr(list_screening, "KEYS_VERSION", newer)
    run()

    assert asked_again() == list(everybody.values_list("subject_name", flat=True))
    assert {one.evidence["keys"] for one in everybody} == {newer}
    asked = Event.objects.filter(kind="check.asked_again").count()
    run()
    assert Event.objects.filter(kind="check.asked_again").count() == asked


def test_the_business_sees_no_difference(application, tmp_path):
    with time_machine.travel(clock.now() + timedelta(minutes=1), tick=False):
        before = pages_of(application)
        a_new_version(tmp_path, OTHER, NAME, day=2)
        run()
        assert Check.objects.filter(status=CheckStatus.NEEDS_REVIEW).exists()
        after = pages_of(application)
    assert [name for name in before if before[name] != after[name]] == []
