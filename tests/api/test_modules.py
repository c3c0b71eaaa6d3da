"""Every product has its module: the same rows as in the API, of one environment."""

import re

import pytest
from django.db import connection
from django.test import Client as Browser
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from api.modules import module_resources
from api.modules.module_resources import ModuleResource
from api.payments import checkout_sessions
from api.payments.models import Customer
from apikeys.lifecycle import Environment
from console.accounts.actors import SYSTEM
from console.accounts.models import Business
from console.accounts.roles import Role
from console.catalogue import products
from console.catalogue.definitions import BASE_PRODUCTS, PRODUCTS
from console.core import clock
from tests import factories
from tests.api import checkouts
from tests.api.asking import ROWS, Client
from tests.apikeys import world

ALL_SCOPES = tuple(scope for product in PRODUCTS.values() for scope in product.scopes)
RESOURCES = [one for key in PRODUCTS for one in module_resources.of_product(key)]
# Resources without ids, and resources that are not there yet.
WITHOUT_IDS = {
    "/balances", "/usage", "/rates", "/transfers/corridors", "/card-transactions",
}  # fmt: skip
ODD = ("%00", "qte_%00")
ROOTS = {"/sandbox/v1": Environment.SANDBOX, "/v1": Environment.LIVE}


def a_business(*approved: str) -> Business:
    business = factories.a_business()
    products.request(business, approved, by=SYSTEM)
    products.approve(business, approved, by=SYSTEM)
    return business


def a_browser(business: Business, role: Role = Role.VIEWER) -> Browser:
    return factories.signed_in(Browser(), factories.a_member(business, role))


def at(business: Business, *names: str, environment: str = "sandbox", more: str = "") -> str:
    route = {1: "api:module", 2: "api:module_resource", 3: "api:module_row"}[len(names)]
    address = reverse(route, args=[business.public_id, *names])
    return f"{address}?environment={environment}{more}"


@pytest.fixture
def all_products(api):
    """A business with every product, and a client of its sandbox."""
    business = a_business(*PRODUCTS)
    grant = world.a_grant(business, products=tuple(PRODUCTS))
    return business, Client(api, world.a_key(grant, scopes=ALL_SCOPES)[1])


def test_each_shows_the_rows_that_the_api_answers_and_none_of_them_in_live(all_products):
    business, client = all_products
    browser = a_browser(business)
    wrong: list[object] = []
    for one in RESOURCES:
        ids = ids_of(client, one)
        page = browser.get(at(business, one.product, one.key))
        live = browser.get(at(business, one.product, one.key, environment="live"))
        if (page.status_code, live.status_code) != (200, 200):
            wrong.append((one.path, page.status_code, live.status_code))
        seen = bool(ids) and all(own in page.text for own in ids)
        if one.listing and not seen and one.path not in WITHOUT_IDS:
            wrong.append((one.path, "lacks a row", ids))
        if any(own in live.text for own in ids) or "live data only" not in live.text:
            wrong.append((one.path, "shows the sandbox in live"))
        wrong += wrong_pages(business, browser, one, ids[:1])

    assert not wrong, "\n".join(map(str, wrong))
    assert len({one.product for one in RESOURCES}) == len(PRODUCTS)


def test_a_session_shows_its_payments_and_what_happened(all_products):
    business, _ = all_products
    session = checkouts.a_session(business)
    payment = checkouts.pays(session, 50_000)
    checkout_sessions.cancel(session, by=SYSTEM)

    page = a_browser(business).get(at(business, "checkout", "checkout-sessions", session.public_id))
    lines = re.findall(r"<p>([^<]+)</p>", page.text[page.text.index('id="history"') :])
    assert payment.provider_reference in page.text
    assert [line for line in lines if session.public_id in line][-1].endswith(
        f"opened the checkout session {session.public_id}"
    )
    assert any(f"held the payment {payment.public_id}" in line for line in lines)


def ids_of(client: Client, one: ModuleResource) -> list[str]:
    """Return the ids of a resource's rows, after creating one if possible."""
    made = [client.id_in(one.path)] if ("POST", one.path) in ROWS else []
    if one.listing is None:
        return made
    return [row["id"] for row in client.read(one.path)["data"] if "id" in row]


def wrong_pages(
    business: Business, browser: Browser, one: ModuleResource, ids: list[str]
) -> list[object]:
    """Return errors in the pages of single rows: they exist, but not in live."""
    wrong: list[object] = []
    for own in ids if one.has_rows_of_their_own else ():
        row = browser.get(at(business, one.product, one.key, own))
        elsewhere = browser.get(at(business, one.product, one.key, own, environment="live"))
        found = (row.status_code, elsewhere.status_code)
        if found != (200, 404) or own not in row.text:
            wrong.append((one.path, own, found))
    return wrong


def test_a_business_without_a_product_has_neither_its_page_nor_its_calls(api):
    bare = factories.a_business()
    browser = a_browser(bare, Role.ADMINISTRATOR)
    keys = {
        root: world.a_key(
            world.a_grant(bare, environment=environment, products=BASE_PRODUCTS),
            scopes=("balances:read",),
        )[1]
        for root, environment in {
            "/sandbox/v1": Environment.SANDBOX,
            "/v1": Environment.LIVE,
        }.items()
    }
    never = same(browser.get(at(bare, "nonsense")).text)
    wrong: list[object] = []
    for one in RESOURCES:
        for environment in Environment:
            for names in ([one.product], [one.product, one.key], [one.product, one.key, "x_1"]):
                page = browser.get(at(bare, *names, environment=environment))
                if page.status_code != 404 or same(page.text) != never:
                    wrong.append((names, environment, page.status_code))
        asked = one.listing or one.reading
        for root, key in keys.items():
            reply = api.get(root + asked.path.replace("{id}", "x_1"), key)
            if one.product not in BASE_PRODUCTS and reply.code != "PRODUCT_NOT_ENABLED":
                wrong.append((asked.path, root, reply.code))

    assert not wrong, "\n".join(map(str, wrong))
    assert "Products</h2>" not in browser.get(reverse("accounts:team", args=[bare.public_id])).text


def same(text: str) -> str:
    """Return a page without the parts that differ in every response."""
    return re.sub(r"req_\w+|csrf\S+ value=\S+", "*", text)


def test_the_rail_has_the_modules_that_are_shown_and_no_other():
    business = a_business("cards", "payouts")
    page = a_browser(business).get(reverse("accounts:team", args=[business.public_id])).text

    shown = {
        key
        for key in PRODUCTS
        if f'{reverse("api:module", args=[business.public_id, key])}"' in page
    }
    assert shown == {"cards", "payouts"}


def test_whatever_a_stranger_typed_stays_text(all_products):
    business, client = all_products
    typed = "<b data-planted>&amp;'\""
    body = client.body_of(ROWS["POST", "/customers"]) | {
        "first_name": typed,
        "metadata": {typed: typed},
    }
    own = client.ask(ROWS["POST", "/customers"], "/customers", body).json["id"]
    browser = a_browser(business)

    for names in (["customers"], ["customers", "customers", own]):
        page = browser.get(at(business, *names)).text
        assert "<b data-planted>" not in page
        assert "&lt;b data-planted&gt;&amp;amp;" in page


def test_a_mistake_in_the_address_is_told_and_what_was_typed_stays(all_products):
    business, _ = all_products
    browser = a_browser(business)

    bad = browser.get(at(business, "balances", "transactions", more="&currency=XXX"))
    assert bad.status_code == 422
    assert "Send one of the allowed values." in bad.text
    cursor = browser.get(at(business, "balances", "transactions", more="&cursor=x"))
    assert (cursor.status_code, "/cursor" in cursor.text) == (400, True)
    flights = browser.get(at(business, "flights", "flights-offers", more="&origin=lagos"))
    assert (flights.status_code, 'value="lagos"' in flights.text) == (422, True)
    empty = browser.get(at(business, "flights", "flights-offers", more="&origin=&utm_source=x"))
    assert empty.status_code == 200
    unknown = browser.get(at(business, "conversions", "quotes", more="&id=<qte_1>"))
    assert (unknown.status_code, "nothing with this ID in sandbox" in unknown.text) == (404, True)
    assert 'value="&lt;qte_1&gt;"' in unknown.text
    assert browser.get(at(business, "balances", environment="test")).status_code == 404


def test_an_id_with_a_nul_byte_is_not_there(all_products):
    business, _ = all_products
    browser = a_browser(business)
    wrong = []
    for one in RESOURCES:
        asked = [at(business, one.product, one.key, "ID").replace("ID", odd) for odd in ODD]
        if one.reading and not one.listing and not one.is_single:
            asked += [at(business, one.product, one.key, more=f"&id={odd}") for odd in ODD]
        statuses = [browser.get(path).status_code for path in asked]
        wrong += [(one.path, statuses)] if set(statuses) != {404} else []
    assert not wrong, wrong


def test_what_the_api_reads_one_by_one_is_found_by_its_id(all_products):
    business, client = all_products
    own = client.id_in("/quotes")
    found = a_browser(business).get(at(business, "conversions", "quotes", more=f"&id={own}"))

    assert found.status_code == 302
    assert found.headers["Location"] == at(business, "conversions", "quotes", own)


def test_an_empty_list_says_which_call_makes_the_first_row(api):
    business = a_business("customers", "cards")
    page = a_browser(business).get(at(business, "customers")).text
    assert "curl --fail-with-body http://localhost:8000/sandbox/v1/customers" in page
    assert "YOUR_KEY_ID" in page
    live = a_browser(business).get(at(business, "customers", environment="live")).text
    assert "curl --fail-with-body http://localhost:8000/v1/customers" in live
    cards = a_browser(business).get(at(business, "cards", "cards", environment="live")).text
    assert "not connected a provider" in cards


def test_it_asks_as_much_of_the_database_for_one_row_as_for_many(all_products):
    business, _ = all_products
    browser = a_browser(business)

    def asked(more: str = "") -> int:
        with CaptureQueriesContext(connection) as queries:
            page = browser.get(at(business, "customers", "customers", more=f"&limit=100{more}"))
        assert page.status_code == 200
        return len(queries)

    _some_customers(business, 1)
    asked()
    with_one = asked()
    _some_customers(business, 2_000)
    page = browser.get(at(business, "customers", "customers", more="&limit=100"))
    assert asked() == with_one
    (cursor,) = re.findall(r"cursor=([^&\"]+)[^>]*>\s*Older", page.text)
    assert asked(f"&cursor={cursor}") == with_one


def _some_customers(business: Business, count: int) -> None:
    now = clock.now()
    Customer.objects.bulk_create(
        [
            Customer(business=business, environment="sandbox", created_at=now, first_name=f"N{n}")
            for n in range(count)
        ]
    )
