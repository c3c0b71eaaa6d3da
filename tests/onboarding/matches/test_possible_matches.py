"""Screening by our lists: held, cleared by evidence, confirmed by two people, and suspended."""

from datetime import timedelta

import pytest
from django.db import DatabaseError
from django.test import Client
from django.urls import reverse

from agreements.lifecycle import PackStatus
from apikeys.models import Grant
from console.accounts.actors import SYSTEM
from console.accounts.lifecycle import Access
from console.accounts.roles import Role
from console.audit.models import Entry
from console.core import clock
from onboarding.checks import runs
from onboarding.lifecycle import ApplicationStatus, CheckStatus
from onboarding.matches.models import MatchDecision, PossibleMatch
from onboarding.models import Check
from onboarding.review import possible_matches
from onboarding.screening.models import ListVersion
from tests import factories
from tests.databases import NO_PRIVILEGE, refused_by
from tests.matrices.world import values_of
from tests.onboarding import answered
from tests.onboarding.screening import listed

WHY = "The passport says that he was born in 1983, and the listed person in 1961."


@pytest.fixture(autouse=True)
def provider(settings):
    settings.CHECK_PROVIDERS = {"screening": "lists"}


@pytest.fixture
def version():
    return listed.a_version()


@pytest.fixture
def first():
    return factories.one_of_staff(Role.COMPLIANCE)


@pytest.fixture
def second():
    return factories.one_of_staff(Role.HEAD_OF_COMPLIANCE)


def reviewed(name):
    """Return the screening check of a business whose only owner has this name."""
    owners = answered.owned_by((name, "100"), born="1983-05-02")
    application = factories.a_reviewed_application(**owners)
    return Check.objects.get(application=application, kind="screening", subject="owner.0")


def matched(version, name="Gorvan Lysted"):
    listed.an_entry(version)
    check = reviewed(name)
    return check, PossibleMatch.objects.get()


def page(check, *match):
    name = "decide_match" if match else "possible_matches"
    return reverse(f"onboarding:{name}", args=[check.public_id, *(one.public_id for one in match)])


def decided(person, check, match, **sent):
    client = factories.signed_in(Client(), person)
    return client.post(page(check, match), {"reason": WHY, **sent})


def fresh(check):
    return Check.objects.select_related("application__business").get(pk=check.pk)


def test_nobody_passes_without_a_list_or_with_an_old_one(version):
    ListVersion.objects.update(checked_at=clock.now() - timedelta(days=8))
    check = reviewed("Amina Otieno")
    assert check.status == CheckStatus.ERRORED
    assert "too long ago" in check.says

    ListVersion.objects.update(checked_at=clock.now())
    check = runs.run(check)
    assert (check.status, check.says) == (CheckStatus.PASSED, "No entry matches.")
    assert version.sha256[:12] in check.evidence["lists"]


def test_both_sides_are_shown_with_what_agrees_and_what_contradicts(version, first):
    check, match = matched(version)
    assert check.status == CheckStatus.NEEDS_REVIEW
    client = factories.signed_in(Client(), first)
    address = reverse("onboarding:decide_check", args=[check.public_id])
    text = client.get(address, follow=True).content.decode()

    for shown in ("Gorvan Lysted", "Gorvan Listed", "1961", "TEST", "X1", "Contradicts"):
        assert shown in text
    assert 'href="https://lists.example/1"' in text
    assert page(check, match) in text


def test_a_page_from_before_a_colleagues_decision_is_refused(version, first, second):
    check, match = matched(version)
    assert decided(first, check, match, outcome="cannot_tell", seen="none").status_code == 302

    late = decided(second, check, match, outcome="not_same", seen="none")
    assert late.status_code == 409
    assert "Somebody decided about this match" in late.text
    assert WHY in late.text
    client = factories.signed_in(Client(), second)
    newest = match.decisions.get().public_id
    assert f'name="seen" value="{newest}"' in client.get(page(check, match)).text
    assert decided(second, check, match, outcome="not_same", seen=newest).status_code == 302


def test_not_the_same_passes_and_stays_while_both_sides_do(version, first):
    check, match = matched(version)
    assert decided(first, check, match, outcome="not_same").status_code == 302
    check = fresh(check)
    assert (check.status, check.reason) == (CheckStatus.PASSED, WHY)

    check = runs.run(check)
    assert check.status == CheckStatus.PASSED
    assert "judged" in check.says

    listed.an_entry(version, "Gorvan Listed the Younger")
    check = runs.run(check)
    assert check.status == CheckStatus.NEEDS_REVIEW
    assert [one.is_cleared for one in PossibleMatch.objects.of(check).order_by("pk")] == [
        True,
        False,
    ]


def test_cannot_tell_leaves_the_check_open(version, first):
    check, match = matched(version)
    assert decided(first, check, match, outcome="cannot_tell").status_code == 302
    assert fresh(check).status == CheckStatus.NEEDS_REVIEW
    assert decided(first, check, match, outcome="not_same", reason=" ").status_code == 422


def test_two_people_confirm_a_match_and_the_application_is_declined(version, first, second):
    check, match = matched(version)
    decided(first, check, match, outcome="same")
    assert fresh(check).status == CheckStatus.NEEDS_REVIEW
    assert decided(first, check, match, confirmed="yes").status_code == 403
    decided(second, check, match, confirmed="no")
    assert fresh(check).status == CheckStatus.NEEDS_REVIEW

    decided(first, check, match, outcome="same")
    decided(second, check, match, confirmed="yes")
    check = fresh(check)
    assert check.status == CheckStatus.FAILED
    assert check.application.status == ApplicationStatus.DECLINED
    assert check.business.status == Access.ACTIVE
    assert Entry.objects.filter(code__startswith="possible_match.").count() == 4


def test_a_business_with_access_is_suspended_by_two_people(version, first, second):
    pack = factories.a_pack(PackStatus.EXECUTED)
    factories.settle()
    assert Grant.objects.filter(business=pack.business).exists()
    check = pack.application.submission.checks.get(kind="screening", subject="owner.0")
    listed.an_entry(version, check.subject_name)
    check = runs.run(runs.again(check, by=first))
    match = PossibleMatch.objects.of(check).get()
    decided(first, check, match, outcome="same")
    assert fresh(check).business.status == Access.ACTIVE

    decided(second, check, match, confirmed="yes")
    assert fresh(check).business.status == Access.SUSPENDED
    assert fresh(check).application.status == ApplicationStatus.EXECUTED


def test_the_database_refuses_it_too(version, first, second):
    check, match = matched(version)
    decided(first, check, match, outcome="same")
    decision = MatchDecision.objects.get()
    confirm = (
        "UPDATE matches_matchdecision SET confirmed = true, second_by_id = %s,"
        " second_at = now(), second_reason = 'x' WHERE id = %s"
    )
    reviewers = "a_match_is_judged_by_reviewers_of_its_case"
    assert refused_by(confirm, first.pk, decision.pk) == "two_people_confirm_a_match"
    assert refused_by(confirm, second.pk, decision.pk) == reviewers
    for passed, answer in ((True, "passed"), (False, "failed")):
        with pytest.raises(DatabaseError, match=f"becomes {answer} by decisions"):
            runs.decide(check, passed=passed, reason=WHY, by=second)
    possible_matches.confirm(decision, confirmed=False, reason=WHY, by=second)
    assert refused_by("UPDATE matches_matchdecision SET confirmed = true") == reviewers
    assert refused_by("DELETE FROM matches_possiblematch") == NO_PRIVILEGE


def test_other_staff_and_other_matches_are_refused(version, first):
    check, match = matched(version)
    legal = factories.signed_in(Client(), factories.one_of_staff(Role.LEGAL))
    assert legal.get(page(check)).status_code == 403
    other = reviewed("Amina Otieno")
    client = factories.signed_in(Client(), first)
    assert client.get(page(other, match)).status_code == 404


def test_a_page_is_asked_for_a_match_that_the_check_still_names():
    """The gallery needs it: a check that ran again has other matches."""
    check = reviewed("Gorvan Lysted")
    reviewers = [factories.one_of_staff(Role.COMPLIANCE) for _ in range(2)]
    for _ in range(2):
        match = listed.a_cleared_match(check, reviewers)
        check.refresh_from_db()
        runs.again(check, by=SYSTEM)
        factories.settle_reviews()
        check.refresh_from_db()
    match = listed.a_cleared_match(check, reviewers)
    values = values_of(check.business)["onboarding:decide_match"]
    assert values == {"check_id": check.public_id, "match_id": match.public_id}
    assert PossibleMatch.objects.of(Check.objects.get(pk=check.pk)).filter(pk=match.pk).exists()
