"""The checkout settings: localhost in the sandbox, who may change what, and how to get there."""

import pytest
from django.urls import reverse

from api.checkout import checkout_settings, domain_checks, domains
from api.payments.models import CheckoutSession
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.audit.models import Entry
from console.catalogue import products
from console.core.refusals import NotAllowed
from tests import factories
from tests.api.checkout.proving import DOMAIN
from tests.api.checkout.test_domains import at, framing, proved, settings_at
from tests.api.hosted.payers import Payer, a_shop, open_session


def test_localhost_shows_sandbox_payments_while_the_switch_is_on(developer, business):
    switch = reverse("api:allow_localhost", args=[business.public_id])
    assert framing(business) == []

    developer.post(switch, {"allowed": "on"})
    developer.post(switch, {"allowed": "on"})
    assert framing(business) == ["http://localhost:*", "http://*.localhost:*"]
    assert framing(business, "live") == []
    assert "checked" in developer.get(settings_at(business)).content.decode()

    developer.post(switch)
    assert framing(business) == []
    assert Entry.objects.filter(code="checkout.localhost_allowed").count() == 1
    assert Entry.objects.filter(code="checkout.localhost_refused").count() == 1


@pytest.mark.parametrize("role", [Role.VIEWER, Role.SIGNATORY])
def test_other_roles_read_the_page_and_change_nothing(client, business, domain, role):
    person = factories.a_member(business, role)
    factories.signed_in(client, person)

    page = client.get(settings_at(business)).content.decode()
    assert DOMAIN in page
    assert "<form" not in page.split('<main id="main"')[1].split("</main>")[0]
    assert client.post(at("remove_domain", domain)).status_code == 403
    for refused in (
        lambda: domains.add(business, "a.example.com", by=person),
        lambda: domains.remove(domain, by=person),
        lambda: domain_checks.check(domain, by=person),
        lambda: checkout_settings.allow_localhost(business, allowed=True, by=person),
    ):
        with pytest.raises(NotAllowed):
            refused()


def test_the_checkout_module_leads_to_the_settings(developer, business):
    products.request(business, ["checkout"], by=SYSTEM)
    products.approve(business, ["checkout"], by=SYSTEM)
    page = developer.get(reverse("api:module", args=[business.public_id, "checkout"]))
    assert settings_at(business).encode() in page.content


def test_the_header_of_the_frame_names_verified_domains_of_that_business_alone(names):
    shop = a_shop()
    session = open_session(shop)
    business = CheckoutSession.objects.get(public_id=session["id"]).business
    verified = domains.add(business, DOMAIN, by=SYSTEM)
    domains.add(business, "unproved.example.com", by=SYSTEM)
    foreign = domains.add(factories.a_business("Other"), "foreign.example.com", by=SYSTEM)
    proved(names, verified)
    proved(names, foreign)

    def framed() -> str:
        page = Payer().get(f"/checkout/{session['id']}/embed")
        return page.headers["Content-Security-Policy"].partition("frame-ancestors ")[2]

    assert framed() == f"https://{DOMAIN}"
    checkout_settings.allow_localhost(business, allowed=True, by=SYSTEM)
    assert framed() == f"https://{DOMAIN} http://localhost:* http://*.localhost:*"
    checkout_settings.allow_localhost(business, allowed=False, by=SYSTEM)
    domains.remove(verified, by=SYSTEM)
    assert framed() == "'none'"
