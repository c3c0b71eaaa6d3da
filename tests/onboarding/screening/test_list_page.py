"""The page of sanctions lists, and what Background work says about them."""

from datetime import timedelta

import time_machine
from django.test import Client
from django.urls import reverse

from console.accounts.roles import Role
from console.core import clock
from onboarding.checks import runs
from onboarding.lifecycle import CheckStatus
from onboarding.models import Check
from onboarding.models.check import CheckKind
from onboarding.screening import names, scheduled
from onboarding.screening.models import ListKind, ListName
from tests import factories
from tests.onboarding import answered
from tests.onboarding.screening import listed

PAGE = reverse("onboarding:sanctions_lists")


def as_staff(role: Role) -> Client:
    return factories.signed_in(Client(), factories.one_of_staff(role))


def test_compliance_sees_lists_with_their_age_and_refused_files():
    listed.an_entry(listed.a_version(ListKind.UN))
    listed.a_version(ListKind.EU, refused="It lacks 20 of the 40 entries.")

    page = as_staff(Role.COMPLIANCE).get(PAGE).text

    assert "United Nations Security Council" in page
    assert "It lacks 20 of the 40 entries." in page
    assert "Gorvan" not in page


def test_an_old_list_is_told_on_both_pages(settings):
    with time_machine.travel(clock.now() - timedelta(days=8)):
        listed.a_version(ListKind.UN)

    said = "which is too long ago"
    assert said in as_staff(Role.COMPLIANCE).get(PAGE).text
    assert said in as_staff(Role.OPERATOR).get(reverse("governance:work")).text


def test_a_possible_match_is_a_task_with_a_due_time():
    application = factories.a_reviewed_application(**answered.HIGH | answered.SUSPECT)
    (check,) = Check.objects.filter(kind=CheckKind.SCREENING, status=CheckStatus.NEEDS_REVIEW)
    staff = as_staff(Role.COMPLIANCE)

    page = staff.get(PAGE).text
    assert check.subject_name in page
    assert application.case_url in page
    assert reverse("onboarding:decide_check", args=[check.public_id]) in page
    assert "Late" not in page
    with time_machine.travel(clock.now() + timedelta(days=1, minutes=1)):
        assert "Late" in as_staff(Role.COMPLIANCE).get(PAGE).text

    by = factories.one_of_staff(Role.COMPLIANCE)
    runs.decide(check, passed=True, reason="Born elsewhere.", by=by)
    assert check.subject_name not in staff.get(PAGE).text


def test_names_are_indexed_again_after_their_keys_changed(monkeypatch):
    listed.an_entry(listed.a_version(ListKind.UN))
    monkeypatch.setattr("onboarding.screening.lists.KEYS_VERSION", names.KEYS_VERSION + 1)
    monkeypatch.setattr(scheduled, "KEYS_VERSION", names.KEYS_VERSION + 1)
    ListName.objects.update(keys=[])
    staff = as_staff(Role.COMPLIANCE)
    assert "being indexed again" in staff.get(PAGE).text

    scheduled.index_again()

    assert "being indexed again" not in staff.get(PAGE).text
    assert ListName.objects.get().keys == names.name_keys("Gorvan Listed")
