"""Question templates fill the form of a request for information, and reviewers edit them."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from console.accounts.roles import Role
from onboarding.information.models import CORRECT, NEEDS, InformationItem
from onboarding.questionnaire.loading import EDITIONS
from onboarding.review import ask_form, question_templates
from tests import factories
from tests.onboarding import answered

TEMPLATES = question_templates.every()


@pytest.mark.parametrize("one", TEMPLATES.values(), ids=lambda one: one.key)
def test_a_template_fits_the_newest_edition(one):
    edition = EDITIONS.load(EDITIONS.versions()[-1])
    assert one.need in {need for need, _label in NEEDS}
    assert one.about == "" or one.about in edition.by_key
    assert one.about or one.need != CORRECT
    assert 20 < len(one.words) <= 2000


@pytest.fixture
def case():
    return factories.a_reviewed_application(**answered.HIGH)


@pytest.fixture
def client():
    return factories.signed_in(Client(), factories.one_of_staff(Role.COMPLIANCE))


def test_picked_templates_fill_the_questions_in_order(client, case):
    page = reverse("onboarding:ask", args=[case.public_id])
    assert "Start from question templates" in client.get(page).text
    picked = ["volumes", "unknown", "owner_identity", "volumes"]
    drawn = client.get(page, {"template": picked}).text
    words = re.findall(r'<textarea name="words_(\d)"[^>]*>\s*([^<]*)</textarea>', drawn)
    assert [text.strip() for _number, text in words] == [
        TEMPLATES["volumes"].words, TEMPLATES["owner_identity"].words, "", "", "",
    ]  # fmt: skip
    chosen = re.findall(r'<option value="(\w+)" selected>', drawn)
    assert chosen[:4] == ["explain", "vo_m12_value", "passport", answered.OWNERS]

    sent = {"words_1": "Edited words.", "need_1": "explain", "about_1": "vo_m12_value"}
    sent |= {"words_2": TEMPLATES["owner_identity"].words, "need_2": "passport"}
    client.post(page, sent | {f"need_{number}": "explain" for number in range(3, 6)})
    asked = InformationItem.objects.filter(request__application=case)
    assert [one.words for one in asked] == ["Edited words.", TEMPLATES["owner_identity"].words]


def test_no_more_than_the_form_holds_are_filled(client, case):
    page = reverse("onboarding:ask", args=[case.public_id])
    answer = client.get(page, {"template": [*TEMPLATES, "\x00"]})
    assert answer.status_code == 200
    filled = list(TEMPLATES.values())[ask_form.MOST - 1]
    assert filled.words in answer.text
