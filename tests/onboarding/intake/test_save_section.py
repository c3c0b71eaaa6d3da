"""Saving a section: as you type, together with others, and without losing answers."""

import pytest

from apikeys import secrets
from apikeys.lifecycle import Environment
from console.accounts.roles import Role
from console.audit.models import Entry
from console.core import clock
from console.core.refusals import NotAllowed, NotReady, WrongStatus
from console.publishing.models import Publication
from onboarding.intake import answers
from onboarding.intake.merging import OpenPage
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Answer
from onboarding.restrictions.list_versions import VERSIONS
from onboarding.restrictions.models import RestrictedListVersion
from tests import factories

SETTLEMENT = {
    "se_model": "t1",
    "se_currencies": ["GBP"],
    "se_bank_country": "GB",
    "se_third_party": "no",
}


def save(application, typed=SETTLEMENT, *, revision=0, by=None, section="settlement"):
    by = by or factories.owner_of(application.business)
    page = OpenPage(revision)
    return answers.save_section(application, section, typed, page=page, by=by)


def test_it_keeps_every_answer_with_who_and_when(application):
    saving = save(application)

    assert answers.answer_set(application).values == {
        "se_model": "t1",
        "se_currencies": ["GBP"],
        "se_bank_country": "GB",
        "se_third_party": False,
    }
    assert saving.application.revision_of("settlement") == 1
    assert {row.by for row in Answer.objects.all()} == {factories.owner_of(application.business)}
    entry = Entry.objects.get(code="application.answered")
    assert entry.subject_id == application.public_id


def test_the_log_names_the_questions_and_not_the_answers(application):
    save(
        application,
        {"ff_steps": "A secret of ours, told in forty letters or more."},
        section="funds_flow",
    )

    entry = Entry.objects.get(code="application.answered")
    assert "ff_steps" in entry.body
    assert "secret" not in entry.body


def test_it_keeps_what_is_wrong_as_it_was_typed(application):
    saving = save(application, {**SETTLEMENT, "se_model": "sometimes"})

    assert [p.path for p in saving.problems] == ["se_model"]
    assert answers.answer_set(application).typed("se_model") == "sometimes"
    assert "se_model" not in answers.answer_set(application).values


def test_what_is_emptied_is_empty(application):
    save(application)

    save(application, {**SETTLEMENT, "se_currencies": []}, revision=1)

    assert "se_currencies" not in answers.answer_set(application).values


def test_saving_the_same_again_changes_nothing(application):
    save(application)

    saving = save(application, revision=1)

    assert saving.application.revision_of("settlement") == 1
    assert Answer.objects.count() == len(SETTLEMENT)


def test_a_stranger_may_not():
    with pytest.raises(NotAllowed):
        save(factories.an_application(), by=factories.a_person())


def test_an_api_key_is_kept_nowhere_and_what_stands_around_it_is(application):
    plain = secrets.mint(Environment.SANDBOX).plain
    said = "We call your API with {} from our server, each minute of the day."
    for sent in (plain, secrets.TAKEN_OUT):  # the second is what the page shows instead
        saving = save(
            application,
            {"ff_steps": said.format(sent)},
            section="funds_flow",
            revision=factories.fresh(application).revision_of("funds_flow"),
        )
        told = [one.message for one in saving.problems if one.path == "ff_steps"]
        assert "API key" in " ".join(told)
    kept = answers.answer_set(factories.fresh(application)).typed("ff_steps")
    assert kept == said.format("[an API key]")
    assert not any(plain in str(vars(row)) for row in Answer.objects.all())


def test_a_colleague_may(application):
    colleague = factories.a_member(application.business, Role.ADMINISTRATOR)

    assert not save(application, by=colleague).problems


def test_a_submitted_application_is_closed_to_it():
    with pytest.raises(WrongStatus):
        save(factories.an_application(ApplicationStatus.SUBMITTED))


def test_a_returned_application_is_open_to_it():
    application = factories.an_application(ApplicationStatus.RETURNED)

    assert not save(application, revision=application.revision_of("settlement")).problems


def test_a_question_of_another_section_is_not_kept(application):
    save(application, {**SETTLEMENT, "li_legal_name": "Smuggled Ltd"})

    assert "li_legal_name" not in answers.answer_set(application).rows


def test_a_stale_page_that_says_the_same_is_no_conflict(application):
    save(application)

    assert not save(application, revision=0).conflicts


@pytest.mark.parametrize("typed", ["KP", " KP", "KP\t"])
def test_a_restricted_country_is_refused_and_the_rest_kept(typed, application):
    saving = save(application, {**SETTLEMENT, "se_bank_country": typed})

    assert saving.is_blocked
    problem = saving.problems[0]
    assert (problem.path, problem.code) == ("se_bank_country", "COMPLIANCE_BLOCKED")
    assert "North Korea" in problem.message
    assert "2026-11-01" in problem.message
    kept = answers.answer_set(application)
    assert "se_bank_country" not in kept.rows
    assert kept.values["se_model"] == "t1"
    assert Entry.objects.filter(code="application.country_refused").count() == 1


def test_a_restricted_country_is_found_in_an_answer_that_cannot_be_read(application):
    rows = [{"from": "KP", "to": "", "currency": "shells", "share": "much"}]

    saving = save(application, {"co_rows": rows}, section="corridors")

    assert saving.is_blocked
    assert "co_rows" not in answers.answer_set(application).rows


@pytest.mark.parametrize("document", [None, {}, {"version": "broken", "entries": []}])
def test_without_a_readable_list_nothing_passes(document, application):
    if document is not None:
        RestrictedListVersion.objects.create(
            version="broken", document=document, change="change", code="KP", reason="x"
        )
    people = factories.one_of_staff(), factories.one_of_staff()
    now = clock.now()
    row = Publication.objects.create(
        kind=VERSIONS.key, version="broken", sha256="0" * 64, proposed_by=people[0], proposed_at=now
    )
    Publication.objects.filter(pk=row.pk).update(put_in_use_by=people[1], in_use_from=now)

    with pytest.raises(NotReady) as refusal:
        save(application)

    assert refusal.value.code == "restricted_list_unreadable"
    assert not Answer.objects.exists()
