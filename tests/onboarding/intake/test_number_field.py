"""The register number is checked while somebody fills in the section, and stated once."""

from typing import Any

import pytest
from playwright.sync_api import expect

from onboarding.intake import answers
from onboarding.models import Check
from tests import factories
from tests.onboarding.intake.conftest import is_kept, opened
from tests.onboarding.intake.sending import address, body, sent

MUNICH = {
    "li_country_incorporation": "DE",
    "li_register": "Handelsregister",
    "li_registration_number": "München HRB245 178",
}


def test_what_was_typed_is_kept_and_documents_say_it_once():
    application = factories.a_reviewed_application(**MUNICH)
    kept = answers.answer_set(application).values
    assert kept["li_registration_number"] == "München HRB245 178"
    stated = application.submission.answers
    assert stated["li_registration_number"] == "HRB 245178"
    assert stated["li_register"] == "Amtsgericht München"
    assert Check.objects.get(application=application, kind="number").status == "passed"


def test_a_wrong_number_stops_the_section_and_not_the_case(client):
    application = factories.an_application()
    page = factories.signed_in(client, factories.owner_of(application.business))
    url = address(application, "section", "legal_identity")
    french: dict[str, Any] = {
        "li_country_incorporation": "FR",
        "li_registration_number": "443 121 976",
    }
    answer = page.post(url, sent("legal_identity", **french))
    assert answer.status_code == 422
    assert "Check the number. A SIREN looks like this: 443 121 975." in body(answer)
    assert "<h1>Check and submit" not in body(answer)

    revision = factories.fresh(application).revision_of("legal_identity")
    mended = french | {"li_registration_number": "FR46 443 121 975"}
    answer = page.post(url, sent("legal_identity", revision=revision, **mended))
    assert answer.status_code == 302
    assert "Our documents say: 443 121 975" in body(page.get(url))
    assert "Our documents say: 443 121 975" in body(page.get(address(application, "check")))


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_the_field_says_what_is_wrong_when_it_is_left_and_is_mended_while_typing(at, application):
    page = opened(at(factories.owner_of(application.business)), application, "legal_identity")
    hint = page.locator("#q-li_registration_number-hint")
    number, wrong = (
        page.locator("#q-li_registration_number"),
        page.locator("#q-li_registration_number-error"),
    )
    page.locator("#q-li_country_incorporation").select_option("DE")
    expect(hint).to_have_text("Handelsregisternummer, for example HRB 245178.")
    page.locator("#q-li_register").fill("Amtsgericht München")

    number.fill("245178")
    is_kept(application, "li_registration_number", "245178")
    page.wait_for_timeout(500)
    expect(wrong).to_have_count(0)
    number.press("Tab")
    expect(wrong).to_contain_text("HRB 245178")
    expect(number).to_have_attribute("aria-invalid", "true")

    number.focus()
    page.keyboard.press("Home")
    page.keyboard.type("HRB ")
    expect(wrong).to_have_count(0)
    expect(number).not_to_have_attribute("aria-invalid", "true")
    expect(number).to_be_focused()

    number.fill("HRB245178")
    expect(hint).to_contain_text("Our documents say: HRB 245178, Amtsgericht München.")
    page.locator("#q-li_register").fill("Handelsregister")
    page.locator("#q-li_register").press("Tab")
    expect(page.locator("#q-li_register-error")).to_contain_text("Name the court")
    number.fill("HRB 245178 München")
    expect(page.locator("#q-li_register-error")).to_have_count(0)
