"""Answers printed in documents may contain only characters that documents can show."""

import pytest

from console.core.refusals import NotReady
from onboarding.intake import answers, applications
from onboarding.intake.merging import OpenPage
from onboarding.questionnaire import (
    completeness,
    document_facts,
    fact_sources,
    loading,
    printable_answers,
)
from onboarding.questionnaire.answering import AnswerState
from tests import factories
from tests.agreements.rendering.scripts import MORE, NAMES, UNSET
from tests.onboarding import answered

# Questions whose answers are printed in documents as typed.
STATED = frozenset(
    {"li_legal_name", "li_trading_name", "li_legal_form", "li_register", "li_registration_number"}
    | {"li_registered_address", "li_contact_name", "li_contact_title", "li_contact_email"}
    | {"ow_signatory_name", "ow_signatory_title", "ow_signatory_email", "dh_privacy_email"}
    | {"lc_regulator", "lc_licence_kind", "lc_licence_number"}
)


def save(application, **changes):
    edition, changed = loading.EDITIONS.load(application.edition), next(iter(changes))
    section = edition.section_of[changed]
    typed = answered.answers(**changes)
    mine = {q.key: typed[q.key] for q in section.questions if q.key in typed}
    owner = factories.owner_of(application.business)
    revision = application.revision_of(section.key)
    return answers.save_section(application, section.key, mine, page=OpenPage(revision), by=owner)


def told(application, **changes):
    return [(p.path, p.message) for p in save(application, **changes).problems]


def test_a_name_that_documents_can_show_passes():
    question = loading.EDITIONS.newest().by_key["li_legal_name"]
    for name in [*NAMES.values(), *MORE.values()]:
        assert list(printable_answers.problems(question, name)) == [], name


def test_a_name_that_they_cannot_show_is_told_by_its_letters():
    said = told(factories.an_application(), li_legal_name="Dhivehi ދިވެހި Ltd")

    ((path, message),) = said
    assert path == "li_legal_name"
    assert "“ދ” (U+078B), U+07A8, “ވ” (U+0788)" in message


def test_every_answer_that_is_stated_is_looked_at():
    for key in STATED - {"li_registered_address"}:
        question = loading.EDITIONS.newest().by_key[key]
        for character in ("🍵", "\t", "\u00ad", "\ufeff", "\u2028", "\u07a6"):
            (problem,) = printable_answers.problems(question, f"Kettle{character}Kiosk")
            assert problem.path == key
            assert f"U+{ord(character):04X}" in problem.message


def test_no_other_answer_is_looked_at():
    asked = loading.EDITIONS.newest().by_key.values()
    assert {one.key for one in asked if printable_answers.is_stated(one)} == STATED


def test_an_address_is_told_part_by_part():
    address = answered.answers()["li_registered_address"] | {"city": UNSET}

    said = told(factories.an_application(), li_registered_address=address)

    assert [path for path, _ in said] == ["li_registered_address.city"]


def test_an_answer_that_no_document_states_may_hold_anything():
    assert told(factories.an_application(), li_native_name=UNSET) == []


def test_what_was_answered_before_is_told_before_it_is_submitted():
    """The answer was saved by a version that did not check its characters."""
    application = factories.an_application("answered")
    owner = factories.owner_of(application.business)
    before = answers.answer_set(application).rows["li_legal_name"]
    before.pk, before.revision, before.value = None, before.revision + 1, UNSET
    before.save()

    with pytest.raises(NotReady) as refused:
        applications.submit(application, declared=True, by=owner)

    (blocker,) = refused.value.blockers
    assert blocker.message.startswith("Legal identity, “Registered legal name”: Our documents")
    kept = answers.answer_set(application)
    states = completeness.states(kept.edition, kept.values, kept.unreadable)
    assert states["legal_identity"] == AnswerState.PROBLEM


def test_every_fact_comes_from_a_question_that_is_asked():
    edition = loading.EDITIONS.newest()
    columns = {column.key for column in edition.by_key["co_rows"].columns}
    assert edition.by_key.keys() >= document_facts.KEYS
    assert set(fact_sources.keys(document_facts.Corridor)) <= columns
