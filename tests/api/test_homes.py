"""Home pages: what a business and each role of our staff see first, and what that costs."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import escape

from agreements.lifecycle import PackStatus
from api.models import RefusalCount
from api.request_log_writer import WRITER
from api.usage_counter import UsageCounter
from apikeys.lifecycle import Environment
from apikeys.webhooks.models import DeliveryDay, DeliveryLane
from console.accounts import businesses
from console.accounts.roles import STAFF, Role
from console.catalogue.definitions import PRODUCTS
from console.core import clock
from tests import factories
from tests.apikeys import world
from tests.apikeys.webhooks.world import an_endpoint
from tests.onboarding import answered

MOST_STATEMENTS = 12


def home_of(client, business, environment=""):
    asked = {"environment": environment} if environment else {}
    return client.get(reverse("api:home", args=[business.public_id]), asked)


def card(page, name):
    """Return the text of one card of the page."""
    (found,) = re.findall(rf'<section class="card" id="{name}".*?</section>', page.text, re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", found).split())


def owner(client, business):
    return factories.signed_in(client, factories.owner_of(business))


@pytest.fixture
def live():
    """A business with keys in both environments."""
    grant = world.a_grant(environment=Environment.LIVE)
    world.a_grant(grant.business)
    return grant


def test_a_live_business_sees_its_calls_and_no_steps(api, client, live):
    _key, plain = world.a_key(live)
    for path in ("/v1/balances", "/v1/balances", "/v1/payouts"):
        api.get(path, plain)
    WRITER.flush()

    page = home_of(owner(client, live.business), live.business)

    assert "Succeeded 2 Refused 1 Failed 0" in card(page, "calls")
    assert "GET /payouts 1" in card(page, "refusals")
    assert 'id="steps"' not in page.text
    assert "Live moves no money yet" in page.text


def test_refusals_are_counted_by_day_operation_and_code():
    business = factories.a_business()
    counter, now = UsageCounter(), clock.now().timestamp()
    for _ in range(2):
        for code in ("", "RATE_LIMITED", "RATE_LIMITED", "FORBIDDEN"):
            counter.count(business.pk, "live", "payouts.list", now, code)
        counter.write()
    told = RefusalCount.objects.order_by("code").values_list("operation", "code", "calls")
    assert list(told) == [("payouts.list", "FORBIDDEN", 2), ("payouts.list", "RATE_LIMITED", 4)]


def test_a_product_leads_to_its_module_if_it_is_open(client, live):
    page = home_of(owner(client, live.business), live.business)
    at = live.business.public_id
    assert f'{reverse("api:module", args=[at, "payouts"])}?environment=live"' in page.text
    assert reverse("api:module", args=[at, "savings"]) not in page.text


def test_a_product_leads_to_its_module_when_every_product_is_open(client):
    grant = world.a_grant(environment=Environment.LIVE, products=tuple(PRODUCTS))
    page = home_of(owner(client, grant.business), grant.business)
    module = reverse("api:module", args=[grant.business.public_id, "payouts"])
    assert f'{module}?environment=live"' in page.text


def test_the_chosen_environment_is_remembered(client, live):
    owner(client, live.business)
    tab = '<a href="?environment=sandbox" aria-current="true">'
    assert tab not in home_of(client, live.business).text
    assert tab in home_of(client, live.business, "sandbox").text
    assert tab in home_of(client, live.business).text
    # Another value changes nothing.
    assert tab not in home_of(client, live.business, "moon").text


def test_it_says_what_needs_the_business(client, live):
    ends = world.a_key(live, days=9.5, name="Backend")[0]
    endpoint = an_endpoint(live.business, environment=Environment.LIVE, verified=True)[0]
    DeliveryLane.objects.filter(endpoint=endpoint).update(
        failing_since=clock.now() - timedelta(hours=2), consecutive_failures=7
    )
    page = home_of(owner(client, live.business), live.business)

    needs = card(page, "needs")
    assert "The key “Backend” ends in 9 days" in needs
    assert f"{endpoint.host}: Failing, 7 in a row" in needs
    assert reverse("apikeys:key", args=[live.business.public_id, ends.public_id]) in page.text


def test_nothing_needs_a_business_that_is_well(client, live):
    page = home_of(owner(client, live.business), live.business)
    assert "Nothing needs you now." in page.text


def test_what_came_and_left_today_is_counted_by_the_ledger(api, client):
    grant = world.a_grant(products=("balances", "payouts"))
    _key, plain = world.a_key(grant, scopes=("balances:read",))
    api.get("/sandbox/v1/balances", plain)
    balances = {row.currency: row for row in grant.business.balance_set.all()}

    page = home_of(owner(client, grant.business), grant.business)

    assert balances
    assert all(row.in_on_day == row.available > 0 == row.out_on_day for row in balances.values())
    total = balances["EUR"].total.grouped()
    assert f"EUR {total} 0.00 {total} 0.00" in card(page, "money")


@pytest.mark.parametrize("role", [Role.VIEWER, Role.SIGNATORY, Role.DEVELOPER])
def test_each_member_sees_the_parts_of_their_role(client, live, role):
    factories.signed_in(client, factories.a_member(live.business, role))
    page = home_of(client, live.business)
    shown = set(re.findall(r'<section class="card" id="(\w+)"', page.text))
    wanted = {
        Role.VIEWER: {"money", "products", "events"},
        Role.SIGNATORY: {"money", "products", "events", "calls", "refusals", "webhooks"},
        Role.DEVELOPER: {"money", "products", "events", "calls", "refusals", "webhooks"},
    }
    assert shown == wanted[role]


def test_a_home_costs_the_same_however_much_there_is(client, live):
    owner(client, live.business)
    counter, now = UsageCounter(), clock.now().timestamp()
    endpoints = [
        an_endpoint(live.business, environment=Environment.LIVE, url=f"https://h{n}.example.com/e")[
            0
        ]
        for n in range(4)
    ]
    home_of(client, live.business)

    costs = []
    for days in (1, 29):
        for day in range(days):
            at = now - day * 86_400
            for code in ("", "FORBIDDEN", "INTERNAL_ERROR"):
                counter.count(live.business.pk, "live", "payouts.list", at, code)
        counter.write()
        for endpoint in endpoints[: days // 7 + 1]:
            DeliveryDay.objects.update_or_create(
                endpoint=endpoint, day=clock.now().date(), defaults={"succeeded": 5, "failed": 1}
            )
        with CaptureQueriesContext(connection) as asked:
            assert home_of(client, live.business).status_code == 200
        costs.append(len(asked))

    assert costs[0] == costs[1]
    assert costs[1] <= MOST_STATEMENTS


STATES = {
    "nothing": lambda: factories.a_business(),
    "draft": lambda: factories.an_application().business,
    "in review": lambda: factories.a_reviewed_application(**answered.HIGH).business,
    "reading": lambda: factories.a_pack(PackStatus.IN_REVIEW).business,
    "approvals": lambda: factories.a_pack(PackStatus.IN_APPROVAL).business,
    "sandbox": lambda: _executed().business,
}
# The conditions for live are computed from their facts, and no row says whether they are met.
MOST_IN_SANDBOX = 24


def _executed():
    pack = factories.a_pack(PackStatus.EXECUTED)
    factories.settle()
    return pack


@pytest.mark.parametrize("state", STATES)
def test_a_home_before_live_costs_as_little(client, state):
    business = STATES[state]()
    owner(client, business)
    page = home_of(client, business)
    assert 'id="steps"' in page.text
    with CaptureQueriesContext(connection) as asked:
        home_of(client, business)
    assert len(asked) <= (MOST_IN_SANDBOX if state == "sandbox" else MOST_STATEMENTS)


@pytest.mark.parametrize("role", STAFF)
def test_a_home_of_our_staff_costs_the_same_however_many_businesses_there_are(client, role):
    def more(count):
        for _ in range(count):
            factories.a_reviewed_application(**answered.HIGH)
            factories.a_business()

    more(1)
    _person, _page = staff_home(client, role)
    costs = []
    for count in (1, 6):
        more(count)
        with CaptureQueriesContext(connection) as asked:
            client.get(reverse("api:staff_home"))
        costs.append(len(asked))
    assert costs[0] == costs[1]


# Our staff ----------------------------------------------------------------------------------


def staff_home(client, role):
    person = factories.one_of_staff(role)
    factories.signed_in(client, person)
    assert client.get("/").url == reverse("api:staff_home")
    return person, client.get(reverse("api:staff_home"))


@pytest.mark.parametrize("role", STAFF)
def test_each_role_has_a_home_within_its_cost(client, role):
    for _ in range(2):
        factories.a_reviewed_application(**answered.HIGH)
    factories.a_pack(PackStatus.IN_APPROVAL)
    _person, page = staff_home(client, role)
    with CaptureQueriesContext(connection) as asked:
        client.get(reverse("api:staff_home"))

    assert page.status_code == 200
    assert "What happened" in page.text
    most = 40 if role == Role.OPERATOR else MOST_STATEMENTS
    assert len(asked) <= most


def test_a_reviewer_finds_the_case_that_waits(client):
    application = factories.a_reviewed_application(**answered.HIGH)
    _person, page = staff_home(client, Role.COMPLIANCE)
    assert "Queue 1 waiting" in card(page, "needs")
    assert reverse("agreements:case", args=[application.public_id]) in page.text


def test_an_account_manager_finds_their_own_businesses(client):
    mine, other = factories.a_business("Mine Ltd"), factories.a_business("Other Ltd")
    person, page = staff_home(client, Role.ACCOUNT_MANAGER)
    assert "Mine Ltd" not in page.text
    businesses.set_account_manager(mine, person=person, seen="", by=person)
    page = client.get(reverse("api:staff_home"))
    assert "Mine Ltd" in page.text
    assert other.name not in page.text
    assert card(page, "funnel").startswith("Your businesses by stage Not started 1 Draft 0")


def test_what_happened_names_the_business(client):
    pack = factories.a_pack(PackStatus.EXECUTED)
    _person, page = staff_home(client, Role.LEGAL)
    assert escape(pack.business.name) in card(page, "happened")


def test_a_business_never_sees_the_home_of_our_staff(client):
    factories.signed_in(client, factories.owner_of(factories.a_business()))
    assert client.get(reverse("api:staff_home")).status_code == 404
