"""The console's search for people of a business: calls, objects of the API, keys and endpoints."""

from django.urls import reverse

from api.payments.models import CardTransaction, Deposit, SavingsMovement
from api.request_log_writer import WRITER
from apikeys.models import ApiKey
from apikeys.webhooks import deliveries
from apikeys.webhooks.models import PublicEvent, WebhookDelivery
from console.accounts.roles import Role
from console.catalogue.definitions import PRODUCTS
from tests import factories
from tests.api.asking import Client
from tests.api.test_modules import ALL_SCOPES, RESOURCES, a_browser, a_business, ids_of
from tests.apikeys import world
from tests.apikeys.webhooks.world import an_endpoint


def found(browser, words):
    return browser.get(reverse("shell:search"), {"q": words, "part": "1"}).text


def test_every_object_with_a_page_is_found_by_its_own_people_only(api):
    business = a_business(*PRODUCTS)
    grant = world.a_grant(business, products=tuple(PRODUCTS))
    client = Client(api, world.a_key(grant, scopes=ALL_SCOPES)[1])
    mine = a_browser(business, Role.VIEWER)
    other = a_browser(a_business(*PRODUCTS), Role.OWNER)
    bare = a_browser(business)
    wrong: list[object] = []
    for one in RESOURCES:
        for own in ids_of(client, one)[:1] if one.has_rows_of_their_own else ():
            address = reverse(
                "api:module_row", args=[business.public_id, one.product, one.key, own]
            )
            if (address in found(mine, own)) != (own[:3] not in ("whe", "whd")):
                wrong.append(own)
            if own in found(other, own):
                wrong.append((own, "found by others"))
    assert not wrong

    for model in (Deposit, SavingsMovement, CardTransaction):
        for row in model.objects.all()[:1]:
            assert f"/b/{business.public_id}/modules/" in found(mine, row.public_id), model
    event = PublicEvent.objects.latest("created_at").public_id
    assert f"/webhooks/events/{event}/" in found(bare, event)


def test_an_object_of_a_hidden_module_is_not_found(api):
    business = a_business()
    grant = world.a_grant(business, products=tuple(PRODUCTS))
    client = Client(api, world.a_key(grant, scopes=ALL_SCOPES)[1])
    made = client.id_in("/payouts")

    assert made not in found(a_browser(business, Role.OWNER), made)


def test_calls_and_keys_are_found_by_those_who_may_see_keys(api):
    key, plain = world.a_key()
    call = api.get("/sandbox/v1/me", plain).headers["X-Request-Id"]
    WRITER.flush()
    for role, sees in ((Role.DEVELOPER, True), (Role.VIEWER, False)):
        browser = a_browser(key.business, role)
        assert (reverse("api:logged_call", args=[key.business.public_id, call])
                in found(browser, call)) is sees  # fmt: skip
        address = reverse("apikeys:key", args=[key.business.public_id, key.public_id])
        assert (address in found(browser, key.public_id)) is sees
        assert (address in found(browser, plain)) is sees
    stranger = a_browser(world.a_key()[0].business, Role.OWNER)
    assert "log/" not in found(stranger, call)
    assert "/keys/" not in found(stranger, key.public_id)
    assert ApiKey.objects.count() == 2


def test_endpoints_and_deliveries_are_found_by_those_who_may_see_webhooks(client):
    endpoint, _secret = an_endpoint(verified=True)
    deliveries.ping(endpoint, by=factories.owner_of(endpoint.business))
    delivery = WebhookDelivery.objects.get()
    business = endpoint.business
    for role, sees in ((Role.DEVELOPER, True), (Role.VIEWER, False)):
        browser = a_browser(business, role)
        page = reverse("apikeys:endpoint", args=[business.public_id, endpoint.public_id])
        assert (f'href="{page}"' in found(browser, endpoint.public_id)) is sees
        assert (f"{page}deliveries/{delivery.public_id}/"
                in found(browser, delivery.public_id)) is sees  # fmt: skip
    stranger = a_browser(world.a_key()[0].business, Role.OWNER)
    for public_id in (endpoint.public_id, delivery.public_id):
        assert "/webhooks/" not in found(stranger, public_id)


def test_our_staff_find_the_calls_about_an_object(api, client):
    _, plain = world.a_key(scopes=("payouts:write",))
    account = {"account_name": "Ada Obi", "country": "GB", "iban": "GB33BUKB20201555555555"}
    body = {"amount": "10.00", "currency": "GBP", "bank_account": account}
    made = api.post("/sandbox/v1/payouts", plain, body, HTTP_IDEMPOTENCY_KEY="order-10001").json
    WRITER.flush()
    factories.signed_in(client, factories.one_of_staff(Role.ACCOUNT_MANAGER))

    assert f"/log/?q={made['id']}" in found(client, made["id"])
