"""Two pages on one section: what was changed, what was seen, and which answer is saved."""

import pytest

from console.accounts.roles import Role
from onboarding.intake import answers, typed_answers
from onboarding.intake.answer_set import AnswerSet
from onboarding.intake.merging import OpenPage
from onboarding.models import Answer
from onboarding.questionnaire import form_values, loading
from tests import factories
from tests.onboarding import answered

MINE, THEIRS = "aaaa", "bbbb"


class Table:
    """An application with its owner's and a colleague's page, both opened before any answer."""

    def __init__(self, section="settlement", **kept):
        self.application, self.section = factories.an_application(), section
        self.owner = factories.owner_of(self.application.business)
        self.colleague = factories.a_member(self.application.business, Role.ADMINISTRATOR)
        if kept:
            self.save(kept, 0, "")
        self.opened_at = factories.fresh(self.application).revision_of(section)

    def save(self, typed, sequence=1, name=MINE, by=None):
        revision = self.opened_at if name else 0
        page = OpenPage(revision, name, sequence)
        by = by or (self.colleague if name == THEIRS else self.owner)
        return answers.save_section(self.application, self.section, typed, page=page, by=by)

    def __getitem__(self, key):
        given_now = answers.answer_set(self.application)
        return given_now.values.get(key) or given_now.typed(key)


def test_a_form_that_nobody_touched_deletes_nothing():
    at = Table()
    at.save({"se_model": "weekly"}, name=THEIRS)

    saving = at.save({"se_model": "", "se_currencies": ["GBP"]})

    assert not saving.conflicts
    assert (at["se_model"], at["se_currencies"]) == ("weekly", ["GBP"])
    assert [row.question for row in saving.unseen] == ["se_model"]


def test_what_stands_in_nobodys_way_is_kept_beside_a_conflict():
    at = Table()
    at.save({"se_model": "weekly"}, name=THEIRS)

    saving = at.save({"se_model": "t1", "se_currencies": ["GBP"]})

    assert set(saving.conflicts) == set(saving.unsaved) == {"se_model"}
    assert (at["se_model"], at["se_currencies"]) == ("weekly", ["GBP"])


def test_a_page_knows_its_own_answers():
    at = Table()
    at.save({"se_model": "weekly"}, 1)

    assert not at.save({"se_model": "t1"}, 2).conflicts
    assert at["se_model"] == "t1"


def test_a_page_does_not_know_what_a_colleague_made_of_its_answer():
    at = Table()
    at.save({"se_model": "weekly"}, 1)
    page = OpenPage(1, THEIRS, 1)
    typed = {"se_model": "t2"}
    answers.save_section(at.application, "settlement", typed, page=page, by=at.colleague)

    assert set(at.save({"se_model": "t1"}, 2).conflicts) == {"se_model"}
    assert at["se_model"] == "t2"


def test_what_arrives_late_does_not_undo_what_the_page_sent_after_it():
    at = Table("products")
    at.save({"pr_tech_email": "ab@example.com"}, 2)

    late = at.save({"pr_tech_email": "a@example.com"}, 1)

    assert not late.conflicts
    assert at["pr_tech_email"] == "ab@example.com"


@pytest.mark.parametrize("first", ["ab@example.com", ""])
def test_what_arrives_late_does_not_undo_what_the_page_changed_back(first):
    at = Table("products", pr_tech_email=first)
    at.save({"pr_tech_email": first}, 2)

    at.save({"pr_tech_email": "a@example.com"}, 1)

    assert (at["pr_tech_email"] or "") == first


def test_a_page_that_said_the_same_unseen_may_go_back():
    at = Table(se_model="t1")
    at.save({"se_model": "weekly"}, name=THEIRS)
    at.save({"se_model": "weekly"}, 1)

    at.save({"se_model": "t1"}, 2)

    assert at["se_model"] == "t1"


def test_a_blocked_country_does_not_hide_what_a_colleague_saved():
    at = Table()
    at.save({"se_bank_country": "FR"}, name=THEIRS)

    saving = at.save({"se_bank_country": "KP"})

    assert saving.is_blocked
    assert set(saving.conflicts) == {"se_bank_country"}


@pytest.mark.parametrize(
    ("section", "key", "before", "sent_back"),
    [
        ("legal_identity", "li_incorporation_date", "31/12/2020", ""),
        ("settlement", "se_model", "sometimes", ""),
        ("settlement", "se_currencies", ["GBP", "shells"], ["GBP"]),
        ("settlement", "se_bank_country", "Atlantis", ""),
        ("products", "pr_use", "Two\nlines", "Two\r\nlines\r\n"),
        ("products", "pr_tech_email", "no\nbody", "nobody"),
        ("legal_identity", "li_operating_countries", ["GB", "XX"], ["GB", "", ""]),
        (
            "legal_identity",
            "li_registered_address",
            {"line1": "1 High Street", "country": "Atlantis"},
            {"line1": "1 High Street ", "line2": "", "city": "", "country": ""},
        ),
        (
            "ownership",
            "ow_structure_of_owners",
            [{"name": "Ada", "holds.0.share": "much", "country": "ZZ", "born": "soon"}],
            [
                {"id": "p1", "name": "Ada", "holds.0.share": "much", "country": "", "born": ""},
                {"id": "p2", "name": "", "holds.0.share": "", "country": "", "born": ""},
            ],
        ),
    ],
)
def test_what_a_browser_cannot_show_is_not_deleted_by_sending_it_back(
    section, key, before, sent_back
):
    at = Table(section, **{key: before})
    rows = Answer.objects.count()

    at.save({key: sent_back})

    assert Answer.objects.count() == rows


def test_every_answer_can_be_sent_back_untouched(kiosk):
    for key in sorted(answered.KIOSK):
        row = kiosk.rows[key]
        question = kiosk.edition.by_key[key]
        shown = typed_answers.as_shown(question, row)
        assert form_values.is_untouched(question, shown, shown)
        known = kiosk.values
        assert not typed_answers.read(question, shown, known).differs_from(row)


@pytest.fixture(scope="module")
def kiosk(django_db_setup, django_db_blocker):
    """Return the answers of a whole questionnaire, parsed but not saved."""
    edition = loading.EDITIONS.newest()
    with django_db_blocker.unblock():
        known: dict[str, object] = {}
        rows = {}
        for section in edition.sections:
            for draft in typed_answers.read_all(section, answered.answers(), known):
                rows[draft.question.key] = Answer(question=draft.question.key, value=draft.value)
                known[draft.question.key] = draft.value
    return AnswerSet(edition, rows)


class TestTheCurrencyOfAmounts:
    """An amount depends on its currency, so changing one requires having seen the other."""

    def test_an_untouched_amount_follows_its_currency(self):
        at = Table("volumes", vo_currency="GBP", vo_m12_value="10.50")

        at.save({"vo_currency": "USDC"})

        assert at["vo_m12_value"] == {"minor": 10_500_000, "currency": "USDC"}

    def test_an_amount_is_not_read_in_a_currency_that_its_writer_has_not_seen(self):
        at = Table("volumes", vo_currency="GBP")
        at.save({"vo_currency": "NGN"}, name=THEIRS)

        saving = at.save({"vo_m12_value": "200"})

        assert saving.conflicts["vo_m12_value"].question == "vo_currency"
        assert at["vo_m12_value"] is None

    def test_a_currency_is_not_changed_under_an_amount_that_was_not_seen(self):
        at = Table("volumes", vo_currency="GBP")
        at.save({"vo_m12_value": "200"}, name=THEIRS)

        saving = at.save({"vo_currency": "NGN", "vo_m12_value": ""})

        assert saving.conflicts["vo_currency"].question == "vo_m12_value"
        assert at["vo_currency"] == "GBP"

    def test_the_same_currency_said_by_both_is_no_conflict(self):
        at = Table("volumes", vo_currency="GBP")
        at.save({"vo_currency": "NGN"}, name=THEIRS)

        assert not at.save({"vo_currency": "NGN", "vo_m12_value": "200"}).conflicts
        assert at["vo_m12_value"] == {"minor": 20_000, "currency": "NGN"}

    def test_an_amount_that_arrives_late_is_read_in_the_currency_chosen_since(self):
        at = Table("volumes", vo_currency="GBP")
        at.save({"vo_currency": "USDC"}, 2)

        at.save({"vo_currency": "NGN", "vo_m12_value": "200"}, 1)

        assert at["vo_currency"] == "USDC"
        assert at["vo_m12_value"] == {"minor": 200_000_000, "currency": "USDC"}
