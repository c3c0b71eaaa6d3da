"""Follow-up questions and suggestions appear at once, and disappear with their condition."""

from typing import Any

import pytest
from django.utils.html import escape
from playwright.sync_api import expect

from onboarding.intake import answers
from tests import factories
from tests.onboarding.intake.conftest import is_kept, opened
from tests.onboarding.intake.forms_over_http import Form
from tests.onboarding.intake.sending import address, sent


def question(page: Any, key: str) -> Any:
    return page.locator(f"[data-question={key}]")


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
class TestInABrowser:
    def test_follow_ups_appear_below_their_question_and_go_with_it(self, at, application, owner):
        page = opened(at(owner), application, "ownership")
        expect(question(page, "ow_signatory_email")).to_have_count(0)

        page.get_by_label("A colleague signs").check()
        expect(question(page, "ow_signatory_email")).to_be_visible()
        keys = page.locator("[data-question]").evaluate_all(
            "all => all.map(at => at.dataset.question)"
        )
        assert keys[keys.index("ow_signatory") + 1] == "ow_signatory_name"
        page.get_by_label("Name of your colleague").fill("Zoë Hart")
        page.get_by_label("Position of the signatory").focus()
        is_kept(application, "ow_signatory_name", "Zoë Hart")

        page.get_by_label("I sign").check()
        expect(question(page, "ow_signatory_email")).to_have_count(0)
        page.get_by_label("A colleague signs").check()
        expect(page.get_by_label("Name of your colleague")).to_have_value("Zoë Hart")

    def test_a_country_fills_in_its_register_and_the_address(self, at, application, owner):
        page = opened(at(owner), application, "legal_identity")
        expect(page.get_by_label("Registered legal name")).to_have_value(application.business.name)
        page.get_by_label("Name of the main contact").fill("Ada Lovelace")

        page.get_by_label("Country of incorporation").select_option("IE")

        expect(page.get_by_label("Register", exact=True)).to_have_value(
            "Companies Registration Office"
        )
        expect(page.locator("[name='li_registered_address.country']")).to_have_value("IE")
        # A suggestion does not replace what the user typed, and follows a corrected country.
        expect(page.get_by_label("Name of the main contact")).to_have_value("Ada Lovelace")
        page.get_by_label("Country of incorporation").select_option("GB")
        expect(page.get_by_label("Register", exact=True)).to_have_value("Companies House")
        expect(page.locator("[name=li_operating_countries]").first).to_have_value("GB")
        page.get_by_role("button", name="Save and come back later").first.click()
        page.wait_for_url(f"**{address(application)}")
        is_kept(application, "li_register", "Companies House")


def test_the_console_fills_in_what_it_knows(page, application):
    person = factories.owner_of(application.business)
    text = page.get(address(application, "section", "legal_identity")).content.decode()

    for known in (application.business.name, person.name, person.email):
        assert f'value="{escape(known)}"' in text
    assert "We filled this in" in text


def test_what_was_saved_or_cleared_is_not_filled_in_again(page, application):
    url = address(application, "section", "legal_identity")
    page.post(url, sent("legal_identity", li_legal_name="Kettle & Kiosk Ltd"))

    given = answers.answer_set(application)
    assert given.values["li_legal_name"] == "Kettle & Kiosk Ltd"
    text = page.get(url).content.decode()
    assert 'value="Kettle &amp; Kiosk Ltd"' in text

    page.post(url, sent("legal_identity", li_legal_name="", revision=1))
    assert "li_legal_name" not in answers.answer_set(application).values
    assert ("li_legal_name", "") in Form(page.get(url).content.decode()).fields


def test_saving_leads_to_the_next_section_that_is_not_complete(page, application):
    onward = page.post(address(application, "section", "settlement"), sent("settlement"))

    assert onward["Location"] == address(application, "section", "licensing")


def test_the_last_section_leads_to_the_check_page(page):
    application = factories.an_application("answered")
    factories.signed_in(page, factories.owner_of(application.business))
    url = address(application, "section", "settlement")
    onward = page.post(url, sent("settlement", revision=application.revision_of("settlement")))

    assert onward["Location"] == address(application, "check")
