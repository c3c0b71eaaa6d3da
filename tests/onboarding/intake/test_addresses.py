"""An address demands what its country has, and no more."""

from typing import Any

import pytest
from playwright.sync_api import expect

from onboarding.application_facts import submitted_facts
from tests import factories
from tests.onboarding.intake.conftest import opened
from tests.onboarding.intake.sending import address, body, sent

USUAL = {
    "AE": {"line1": "Office 12, Marina Plaza", "line2": "PO Box 1234", "state": "Dubai"},
    "GI": {"line1": "Suite 1, 5 Main Street"},
    "HK": {"line1": "Flat 25, 12/F, Acacia Building, 150 Kennedy Road"},
    "MC": {"line1": "4 rue Grimaldi", "postal_code": "98000"},
    "MO": {"line1": "Avenida da Praia Grande 1"},
    "SG": {"line1": "1 Raffles Place #20-61", "postal_code": "048616"},
    "VA": {"line1": "Via della Posta", "postal_code": "00120"},
    "IE": {"line1": "1 Invented Street", "city": "Dublin"},
    "KE": {"line1": "P.O. Box 30266", "city": "Nairobi"},
}


@pytest.mark.parametrize("country", USUAL)
def test_a_usual_address_is_complete(client, country):
    application = factories.an_application()
    page = factories.signed_in(client, factories.owner_of(application.business))
    typed = {**USUAL[country], "country": country}
    url = address(application, "section", "legal_identity")
    answer = page.post(url, sent("legal_identity", li_registered_address=typed))
    assert answer.status_code == 302, body(answer)


@pytest.mark.parametrize(
    ("country", "said"), [("AE", "Enter the emirate."), ("GB", "Enter the town or city.")]
)
def test_what_a_country_has_is_demanded(client, country, said):
    application = factories.an_application()
    page = factories.signed_in(client, factories.owner_of(application.business))
    typed = {"line1": "Office 12", "country": country}
    url = address(application, "section", "legal_identity")
    answer = page.post(url, sent("legal_identity", li_registered_address=typed))
    assert answer.status_code == 422
    assert said in body(answer)


def test_documents_state_an_address_without_a_town():
    typed: dict[str, Any] = {**USUAL["SG"], "country": "SG"}
    application = factories.a_reviewed_application(li_registered_address=typed)
    facts = submitted_facts(application)
    assert facts["business"]["address"] == ["1 Raffles Place #20-61", "048616", "Singapore"]


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_the_parts_of_an_address_follow_its_country(at, application):
    page = opened(at(factories.owner_of(application.business)), application, "legal_identity")
    label = page.locator("label[for=q-li_registered_address-state]")
    expect(label).to_contain_text("State or region (optional)")
    page.locator("#q-li_registered_address-country").select_option("AE")
    page.locator("#q-li_registered_address-line1").fill("Office 12")
    expect(label).to_have_text("Emirate")
    expect(page.locator("label[for=q-li_registered_address-city]")).to_contain_text("(optional)")
