"""The product pages: manual settings, withdrawal, the sync, and the business's page."""

import pytest
from django.db import IntegrityError, transaction

from apikeys.models import Grant
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.catalogue import module_sync, products
from console.catalogue.lifecycle import ProductStatus
from console.catalogue.models import BusinessProduct, ModuleSetting
from console.core import clock
from tests import factories
from tests.apikeys import world

WHY = "They asked us on the phone."


@pytest.fixture
def business():
    """A business with cards and balances, whose sandbox is open."""
    business = world.a_grant(products=()).business
    products.approve(business, ["balances", "cards"], by=SYSTEM)
    return business


def opened(business):
    return Grant.objects.get(business=business).products


def staff(client, role):
    person = factories.one_of_staff(role)
    factories.signed_in(client, person)
    return person


def words(response):
    return " ".join(response.content.decode().split())


def test_a_module_is_set_off_on_and_released_on_its_page(client, business):
    manager = staff(client, Role.ACCOUNT_MANAGER)
    page = f"/businesses/{business.public_id}/products/"
    url = f"{page}cards/by-hand/"

    nothing = client.post(url, {"hand": "", "reason": WHY, "seen": ""})
    silent = client.post(url, {"hand": "off", "reason": " ", "seen": ""})
    assert (nothing.status_code, silent.status_code) == (422, 422)
    assert WHY in words(nothing)
    assert opened(business) == ["balances", "cards"]

    assert client.post(url, {"hand": "off", "reason": WHY, "seen": ""}).status_code == 302
    assert opened(business) == ["balances"]
    assert client.post(url, {"hand": "on", "reason": WHY, "seen": ""}).status_code == 409
    shown = words(client.get(page))
    assert "Turned off manually" in shown
    assert WHY in shown
    assert manager.name in shown
    assert WHY in words(client.get("/products/cards/"))

    client.post(url, {"hand": "automatic", "reason": WHY, "seen": "off"})
    assert opened(business) == ["balances", "cards"]
    client.post(f"{page}payouts/by-hand/", {"hand": "on", "reason": WHY, "seen": ""})
    assert opened(business) == ["balances", "cards"]
    assert ModuleSetting.objects.get(module="payouts").is_shown


def test_a_withdrawn_product_is_told_and_stays_away(client, business):
    staff(client, Role.COMMERCIAL)
    page = f"/businesses/{business.public_id}/products/"
    assert client.post(f"{page}balances/withdraw/", {"reason": WHY}).status_code == 422
    assert client.post(f"{page}payouts/withdraw/", {"reason": WHY}).status_code == 422
    assert opened(business) == ["balances", "cards"]

    assert client.post(f"{page}cards/withdraw/", {"reason": WHY}).status_code == 302
    assert opened(business) == ["balances"]
    products.approve(business, ["balances", "cards"], by=SYSTEM)
    assert BusinessProduct.objects.get(product="cards").status == ProductStatus.WITHDRAWN
    factories.signed_in(client, factories.owner_of(business))
    own = words(client.get(f"/b/{business.public_id}/products/"))
    assert WHY in own
    assert "Card" in own


def test_the_sync_is_previewed_and_pressed(client, business, django_assert_max_num_queries):
    other = factories.a_business()
    products.approve(other, ["rates"], by=SYSTEM)
    ModuleSetting.objects.update(automatic=False)
    staff(client, Role.ACCOUNT_MANAGER)
    page = f"/businesses/{business.public_id}/products/"
    assert "The module appears" in words(client.get(page))
    assert words(client.get("/products/")).count("The module appears") == 0
    assert words(client.get("/products/?sync=preview")).count("The module appears") == 3

    client.post(f"{page}sync/")
    assert [one.business for one in module_sync.preview()] == [other]
    client.post("/products/sync/")
    assert module_sync.preview() == []
    with django_assert_max_num_queries(20):
        client.get(page)


def test_the_database_lets_nobody_of_a_business_decide_about_its_products(business):
    owner, now = factories.owner_of(business), clock.now()
    mine = {"hand_by": owner, "hand_at": now, "hand_reason": WHY}
    cards = ModuleSetting.objects.filter(module="cards")
    with pytest.raises(IntegrityError, match="took part"), transaction.atomic():
        cards.update(hand="on", **mine)
    with pytest.raises(IntegrityError, match="took part"), transaction.atomic():
        BusinessProduct.objects.filter(product="cards").update(
            status=ProductStatus.WITHDRAWN, by=owner, reason=WHY
        )
    with pytest.raises(IntegrityError, match="who_when_and_why"), transaction.atomic():
        cards.update(hand="off")
    mine["hand_by"] = factories.one_of_staff(Role.ACCOUNT_MANAGER)
    with pytest.raises(IntegrityError, match="never both"), transaction.atomic():
        cards.update(automatic=False, hand="off", **mine)
