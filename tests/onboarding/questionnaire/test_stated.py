"""What a document states is answered in letters that documents can show."""

from typing import Any

import pytest

from console.core.refusals import NotReady
from onboarding import application_facts
from onboarding.intake import answers, applications
from onboarding.intake.merging import OpenPage
from onboarding.questionnaire import completeness, loading, stated
from onboarding.questionnaire.answering import AnswerState
from onboarding.questionnaire.schema import QuestionKind
from tests import factories
from tests.agreements.rendering.scripts import MORE, NAMES, UNSET
from tests.factories import publishing
from tests.onboarding import answered

# Brings up every question whose words documents state.
STATED: dict[str, Any] = {
    "lc_regulated": "yes",
    "lc_regulator": "Financial Conduct Authority",
    "lc_licence_kind": "Payment institution",
    "lc_licence_number": "900123",
    "li_trading_name": "Kiosk",
}


def save(application, **changes):
    edition, changed = loading.EDITIONS.load(application.edition), next(iter(changes))
    section = next(s for s in edition.sections if changed in {q.key for q in s.questions})
    typed = answered.answers(**changes)
    mine = {q.key: typed[q.key] for q in section.questions if q.key in typed}
    owner = factories.owner_of(application.business)
    revision = application.revision_of(section.key)
    return answers.save_section(application, section.key, mine, page=OpenPage(revision), by=owner)


def told(application, **changes):
    return [(p.path, p.message) for p in save(application, **changes).problems]


@pytest.mark.parametrize("name", [*NAMES.values(), *MORE.values()], ids=[*NAMES, *MORE])
def test_a_name_that_documents_can_show_passes(name):
    assert told(factories.an_application(), li_legal_name=name) == []


@pytest.mark.parametrize("edition", ["2026-11", loading.EDITIONS.versions()[-1]])
def test_a_name_that_they_cannot_show_is_told_by_its_letters(edition):
    if edition == "2026-11":
        publishing.the_first_questions()
    application = factories.an_application()
    assert application.edition == edition

    said = told(factories.fresh(application), li_legal_name="Dhivehi ދިވެހި Ltd")

    assert said == [
        (
            "li_legal_name",
            "Our documents cannot show “ދ” (U+078B), U+07A8, “ވ” (U+0788) and others. "
            "Write this in Latin letters.",
        )
    ]


@pytest.mark.parametrize("character", ["🍵", "\t", "\u00ad", "\ufeff", "\u2028", "\u07a6"])
@pytest.mark.parametrize("key", sorted(stated.KEYS - {"li_registered_address"}))
def test_every_answer_that_is_stated_is_looked_at(key, character):
    question = loading.EDITIONS.newest().by_key[key]

    problems = list(stated.problems(question, f"Kettle{character}Kiosk"))

    assert [problem.path for problem in problems] == [key]
    assert f"U+{ord(character):04X}" in problems[0].message


def test_an_address_is_told_part_by_part():
    address = answered.answers()["li_registered_address"] | {"city": UNSET}

    said = told(factories.an_application(), li_registered_address=address)

    assert [path for path, _ in said] == ["li_registered_address.city"]


def test_an_answer_that_no_document_states_may_hold_anything():
    assert told(factories.an_application(), li_native_name=UNSET) == []


def test_what_was_answered_before_is_told_before_it_is_submitted():
    """An answer of a data folder that was made when nobody asked."""
    application = factories.an_application("answered")
    owner = factories.owner_of(application.business)
    before = answers.of(application).rows["li_legal_name"]
    before.pk, before.revision, before.value = None, before.revision + 1, UNSET
    before.save()

    with pytest.raises(NotReady) as refused:
        applications.submit(application, declared=True, by=owner)

    (blocker,) = refused.value.blockers
    assert blocker.message.startswith("Legal identity, “Registered legal name”: Our documents")
    kept = answers.of(application)
    states = completeness.states(kept.edition, kept.values, kept.unreadable)
    assert states["legal_identity"] == AnswerState.PROBLEM


class Read(dict[str, Any]):
    """Answers that remember which of them were read."""

    def __init__(self, *args):
        super().__init__(*args)
        self.keys_read = set()

    def __getitem__(self, key):
        self.keys_read.add(key)
        return super().__getitem__(key)

    def get(self, key, default=None):
        self.keys_read.add(key)
        return super().get(key, default)


def test_the_answers_that_are_stated_are_those_that_the_facts_hand_on():
    application = factories.an_application("submitted", **STATED)
    submission = application.submission
    read = Read(submission.answers)
    submission.__dict__["answers"] = read

    application_facts.of(application)

    written = (QuestionKind.TEXT, QuestionKind.LONG_TEXT, QuestionKind.EMAIL, QuestionKind.ADDRESS)
    asked = loading.EDITIONS.newest().by_key
    handed_on = {key for key in read.keys_read if key in asked and asked[key].kind in written}
    # Handed on and used by nobody that writes documents, or only where it can be set.
    handed_on -= {"pr_tech_email", "li_native_name"}
    assert handed_on == stated.KEYS
