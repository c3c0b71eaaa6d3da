"""The products of the specification, with exactly its scopes."""

from apikeys.models import Grant
from console.accounts.actors import SYSTEM
from console.catalogue import products
from console.catalogue.definitions import BASE_PRODUCTS, PRODUCTS
from console.catalogue.lifecycle import ProductStatus
from console.catalogue.models import BusinessProduct
from tests import factories

# Section 5.6 of the specification, verbatim.
SPECIFICATION = """
customers | customers:read, customers:write
balances | balances:read, usage:read
virtual_accounts | virtual_accounts:read, virtual_accounts:write
checkout | checkout:read, checkout:write
remittance | beneficiaries:read, beneficiaries:write, transfers:read, transfers:write
conversions | quotes:read, quotes:write, conversions:read, conversions:write
cards | cardholders:read, cardholders:write, cards:read, cards:write, card_transactions:read
webhooks | webhooks:read, webhooks:write
otc | otc:read, otc:write
payouts | payouts:read, payouts:write
crypto | crypto:read, crypto:write
rates | rates:read
refunds | refunds:read, refunds:write
digital_services | digital_services:read, digital_services:write
flights | flights:read, flights:write
payroll | payroll:read, payroll:write
financing | financing:read
savings | savings:read, savings:write
merchant | merchant:read
identity_verification | identity_verification:write
inventory | inventory:read, inventory:write
"""


def test_the_products_of_the_specification_have_exactly_these_scopes():
    found = [f"{key} | {', '.join(one.scopes)}" for key, one in PRODUCTS.items()]
    specified = SPECIFICATION.strip().splitlines()
    assert [line for line in found if line in specified] == specified
    assert len(specified) == 21


def test_a_scope_belongs_to_one_product():
    scopes = [scope for product in PRODUCTS.values() for scope in product.scopes]
    assert len(scopes) == len(set(scopes))


def test_a_grant_of_the_base_products_opens_their_scopes():
    assert sorted(Grant(products=list(BASE_PRODUCTS)).scopes()) == [
        "balances:read",
        "usage:read",
        "webhooks:read",
        "webhooks:write",
    ]


def test_approving_approves_these_and_refuses_the_rest():
    business = factories.a_business()
    products.request(business, ["cards", "payouts"], by=SYSTEM)
    products.approve(business, ["balances", "cards"], by=SYSTEM)
    products.approve(business, ["balances", "cards"], by=SYSTEM)

    assert products.approved(business) == ("balances", "cards")
    rows = dict(BusinessProduct.objects.of(business).values_list("product", "status"))
    assert rows == {
        "balances": ProductStatus.APPROVED,
        "cards": ProductStatus.APPROVED,
        "payouts": ProductStatus.REFUSED,
    }


def test_asking_again_changes_nothing():
    business = factories.a_business()
    products.request(business, ["cards"], by=SYSTEM)
    products.approve(business, ["cards"], by=SYSTEM)
    products.request(business, ["cards"], by=SYSTEM)
    assert products.approved(business) == ("cards",)
