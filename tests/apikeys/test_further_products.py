"""A business with an executed agreement requests further products and gets them."""

import re

from django.test import Client
from django.urls import reverse

from agreements.lifecycle import PackStatus
from agreements.models import Pack
from apikeys.models import Grant
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.catalogue import module_settings, products
from console.catalogue.definitions import PRODUCTS
from console.catalogue.lifecycle import HandSetting
from console.catalogue.models import ModuleSetting
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Application
from tests import factories


def page(name, business):
    return reverse(name, args=[business.public_id])


def executed():
    """A business with an executed agreement, and its owner's browser."""
    pack = factories.a_pack(at=PackStatus.EXECUTED)
    factories.settle()
    business = pack.business
    return business, factories.signed_in(Client(), factories.owner_of(business))


def asked(business, client, *keys):
    return client.post(page("apikeys:request_products", business), {"products": keys})


def test_the_choice_shows_what_is_missing_with_its_description_and_price():
    business, client = executed()
    assert (
        page("apikeys:request_products", business)
        in client.get(page("apikeys:own_products", business)).content.decode()
    )
    shown = client.get(page("apikeys:request_products", business)).content.decode()

    offered = set(re.findall(r'name="products" value="(\w+)"', shown))
    assert "cards" in offered
    assert not offered & set(products.approved(business))
    assert "Issue virtual and physical cards." in shown
    assert "USD" in shown
    nothing = asked(business, client).content.decode()
    assert "Choose at least one product." in nothing


def test_products_that_can_be_requested_say_what_they_need():
    business, client = executed()
    shown = client.get(page("apikeys:own_products", business)).text

    (cards,) = re.findall(r'<li id="cards">.*?</li>', shown, re.DOTALL)
    assert "Issue virtual and physical cards." in cards
    assert "cardholders:read" in cards
    assert reverse("api:product", args=["cards"]) in cards


def test_nobody_is_asked_to_choose_from_nothing():
    business, client = executed()
    rest = [key for key in PRODUCTS if key not in products.approved(business)]
    products.request(business, rest, by=SYSTEM)
    products.approve(business, rest, by=SYSTEM)

    answer = client.get(page("apikeys:request_products", business))
    assert answer.url == page("apikeys:own_products", business)
    shown = client.get(answer.url).text
    assert "there is none left to request" in shown
    assert "Request products" not in shown


def test_it_leads_to_an_application_with_the_last_answers_and_one_at_a_time():
    business, client = executed()
    former = Application.objects.of(business)[0].submission
    assert asked(business, client, "payouts").url == page("onboarding:access", business)

    newest = Application.objects.of(business)[0]
    assert newest.status == ApplicationStatus.DRAFT
    sent = client.post(page("onboarding:submit", business), {"declared": "on"}, follow=True)
    newest.refresh_from_db()
    assert newest.submission, sent.content.decode()
    chosen = {"pr_products": sorted([*former.answers["pr_products"], "payouts"])}
    assert newest.submission.answers == former.answers | chosen
    assert asked(business, client, "cards").url == page("onboarding:access", business)
    assert Application.objects.of(business).count() == 2


def test_after_its_execution_the_products_switch_on_and_hand_settings_win():
    business, client = executed()
    manager = factories.one_of_staff(Role.ACCOUNT_MANAGER)
    module_settings.set_by_hand(
        business, "rates", HandSetting.OFF, seen=HandSetting.NONE, reason="Not yet.", by=manager
    )
    before = Pack.objects.of(business)[0]
    asked(business, client, "payouts", "rates")
    client.post(page("onboarding:submit", business), {"declared": "on"})
    with factories.few_documents():
        factories.settle()
    grant = Grant.objects.get(business=business, environment="sandbox")
    assert "payouts" not in grant.products

    pack = Pack.objects.of(business)[0]
    assert pack.supersedes == before.number != pack.number
    factories.walked(factories.fresh_pack(pack), PackStatus.EXECUTED)
    factories.settle()
    grant.refresh_from_db()
    assert {"payouts", "rates"} <= set(products.approved(business))
    assert "payouts" in grant.products
    assert "rates" not in grant.products
    shown = ModuleSetting.objects.of(business).shown().values_list("module", flat=True)
    assert "payouts" in shown
    assert "rates" not in shown


def test_a_colleague_who_asks_does_not_become_the_signatory():
    business, client = executed()
    owner = factories.owner_of(business)
    client.get("/")
    colleague = factories.signed_in(Client(), factories.a_member(business, Role.ADMINISTRATOR))
    asked(business, colleague, "payouts")
    colleague.post(page("onboarding:submit", business), {"declared": "on"})

    newest = Application.objects.of(business)[0]
    assert newest.submission.answers["ow_signatory_email"] == owner.email


def test_before_the_first_execution_there_is_nothing_to_add():
    application = factories.an_application()
    business = application.business
    client = factories.signed_in(Client(), factories.owner_of(business))
    assert asked(business, client, "payouts").url == page("onboarding:access", business)
    shown = client.get(page("apikeys:own_products", business)).content.decode()
    assert page("apikeys:request_products", business) not in shown
    assert Application.objects.of(business).count() == 1


def test_taking_the_request_back_leaves_the_agreement_and_the_next_step():
    business, client = executed()
    asked(business, client, "payouts")
    client.post(page("onboarding:withdraw", business))
    shown = client.get(page("onboarding:access", business)).content.decode()

    assert "Your agreements are executed" in shown
    overview = client.get(page("api:home", business)).content.decode()
    assert "Sandbox keys</b>" in overview
    assert asked(business, client, "cards").url == page("onboarding:access", business)
    assert Application.objects.of(business)[0].status == ApplicationStatus.DRAFT
