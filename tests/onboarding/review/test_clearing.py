"""Clearing a case that gives concerns takes the head of compliance, a reason and evidence."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from console.accounts import staff
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.audit.models import Entry
from console.core.refusals import ReasonMissing
from onboarding import case_acts
from onboarding.checks import runs
from onboarding.evidence.models import CheckEvidence
from onboarding.lifecycle import ActKind, ApplicationStatus
from onboarding.models import Application, CaseAct
from onboarding.review import clearing, decisions
from tests import factories
from tests.databases import refused_by
from tests.factories.applications import ACCEPTED
from tests.onboarding import answered

FORMER = answered.HIGH | {"ri_pep_kind": "former"}
CASES = {"high": answered.HIGH, "a former office": FORMER, "declared": answered.DECLARED}
NOTE = ACCEPTED
concerning = pytest.mark.parametrize("answers", CASES.values(), ids=CASES)


def waiting(answers: Mapping[str, Any]) -> Application:
    """Return a case in review that only lacks somebody who clears it."""
    application = factories.a_reviewed_application(**answers)
    if application.status == ApplicationStatus.HELD:
        reviewer = factories.one_of_staff(Role.COMPLIANCE)
        decisions.release(application, note="They were removed.", by=reviewer)
        factories.settle_reviews()
        application = factories.fresh(application)
    assert application.status == ApplicationStatus.SUBMITTED
    return application


def signed_in(*roles: Role) -> Client:
    return factories.signed_in(Client(), factories.one_of_staff(*roles))


@concerning
def test_a_reviewer_reads_who_clears_it_and_cannot(answers):
    application, reviewer = waiting(answers), signed_in(Role.COMPLIANCE)
    form = factories.clearing_form(application)
    page = reverse("onboarding:clear", args=[application.public_id])

    case, shown, answer = (
        reviewer.get(application.case_url), reviewer.get(page), reviewer.post(page, form),
    )  # fmt: skip

    said = "Only the head of compliance can clear this case"
    assert [said in one.text for one in (case, shown, answer)] == [True] * 3
    assert NOTE in answer.text
    assert factories.fresh(application).status == ApplicationStatus.SUBMITTED


@concerning
def test_the_head_clears_it_with_a_reason_and_evidence(answers):
    application, head = waiting(answers), signed_in(Role.HEAD_OF_COMPLIANCE)
    page = reverse("onboarding:clear", args=[application.public_id])
    assert "Ask the business for one" in head.get(page).text
    form = factories.clearing_form(application)
    assert "income.pdf" in head.get(page).text

    lacking: list[dict[str, Any]] = [{"note": " "}, {"evidence": []}]
    refused = [head.post(page, form | lacks) for lacks in lacking]
    assert [one.status_code for one in refused] == [422, 422]
    assert "Choose the files" in refused[1].text
    assert NOTE in refused[1].text
    assert head.post(page, form).status_code == 302

    assert factories.fresh(application).status == ApplicationStatus.CLEARED
    act = CaseAct.objects.get(kind=ActKind.CLEAR)
    assert (act.note, act.as_head, act.evidence.count()) == (NOTE, True, 1)
    assert NOTE in Entry.objects.get(code="application.cleared").body
    assert Entry.objects.filter(code="evidence_file.relied_on").count() == 1


def test_the_verb_takes_them_too_and_files_of_this_case_alone():
    head = factories.one_of_staff(Role.HEAD_OF_COMPLIANCE)
    application = waiting(answered.HIGH)
    named = factories.evidence_of(application)
    foreign = factories.evidence_of(waiting(FORMER))

    for note in ("", " ", ".", "-- 1"):
        with pytest.raises(ReasonMissing):
            decisions.clear(application, note=note, evidence=named, by=head)
    for evidence in ((), foreign, [*named, *foreign]):
        with pytest.raises(decisions.EvidenceMissing):
            decisions.clear(application, note=NOTE, evidence=evidence, by=head)


@pytest.mark.parametrize(
    "topics", ["role.pep, sanction", "crime, role.rca", "Role.RCA", "ROLE.PEP"]
)
def test_a_match_with_an_exposed_person_or_one_close_to_them_is_a_concern(topics):
    application = factories.a_reviewed_application(**answered.LISTED)
    check = application.submission.checks.get(status="needs_review")
    check.simulated, check.evidence = True, check.evidence | {"topics": topics}
    check.save()
    reviewer = factories.one_of_staff(Role.COMPLIANCE)
    runs.decide(check, passed=True, reason="A councillor of a small town.", by=reviewer)
    factories.settle_reviews()

    application = factories.fresh(application)
    assert application.status == ApplicationStatus.SUBMITTED
    assert clearing.concerns(application) == [
        "Screening found a politically exposed person, or one close to them."
    ]
    assert refused_by(CLEARED, application.pk) == "what_gives_concerns_is_cleared_by_the_head"
    assert factories.clear(application).status == ApplicationStatus.CLEARED


def test_without_concerns_nothing_is_asked():
    application = factories.an_application(ApplicationStatus.SUBMITTED)
    page = signed_in(Role.COMPLIANCE).get(reverse("onboarding:clear", args=[application.public_id]))

    assert "Why we can accept" not in page.text


# In SQL

CLEARED = "UPDATE onboarding_application SET status = 'cleared' WHERE id = %s"


def clear_by_statement(application, *, by, note=NOTE, evidence=(), before=lambda: None) -> None:
    """Clear the application as whoever has the site's database role could."""
    with transaction.atomic(), connection.cursor() as cursor:
        act = case_acts.record(application, ActKind.CLEAR, note=note, by=by)
        for file in evidence:
            CheckEvidence.objects.create(act=act, file=file, sha256=file.sha256)
        before()
        cursor.execute(CLEARED, [application.pk])


@pytest.mark.parametrize("lacks", ["head", "note", "evidence", "own evidence", "head by now"])
def test_the_database_refuses_each_that_is_missing(lacks):
    application = waiting(answered.HIGH)
    role = Role.COMPLIANCE if lacks == "head" else Role.HEAD_OF_COMPLIANCE
    person = factories.one_of_staff(role)
    files = {
        "evidence": [],
        "own evidence": factories.evidence_of(factories.an_application()),
    }
    given: dict[str, Any] = {
        "note": "" if lacks == "note" else NOTE,
        "evidence": files.get(lacks, factories.evidence_of(application)),
    }
    if lacks == "head by now":
        given["before"] = lambda: staff.take_role(person, role, by=SYSTEM)

    with pytest.raises(DatabaseError, match="the head of compliance clears this case"):
        clear_by_statement(application, by=person, **given)


@concerning
def test_the_database_knows_the_concerns(answers):
    application = waiting(answers)
    with pytest.raises(DatabaseError, match="the head of compliance clears this case"):
        clear_by_statement(application, by=factories.one_of_staff(Role.COMPLIANCE))
