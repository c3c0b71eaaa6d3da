"""The demo's receiver: accepts what our secret signed, and refuses and shows everything else."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from api.demo import receiver, saved_keys, webhooks
from apikeys.lifecycle import Environment
from apikeys.webhooks import deliveries, delivery_signatures, endpoints
from apikeys.webhooks.models import QueuedDelivery, WebhookEndpoint
from apikeys.webhooks.pages import delivery_log
from console.accounts.models import Business
from console.core import clock
from tests import factories
from tests.apikeys.world import a_grant

BODY = b'{"id":"evt_1","type":"webhook_endpoint.ping"}'


@pytest.fixture(autouse=True)
def _demo(settings, tmp_path):
    settings.DEMO, settings.WEBHOOK_ALLOW_HTTP = True, True
    settings.DATA_DIR = str(tmp_path)


@pytest.fixture
def business() -> Business:
    """A business with the demo's endpoints."""
    business = a_grant().business
    _load(business)
    return business


def _load(business: Business) -> None:
    owner = factories.owner_of(business)
    webhooks.load(business, by=owner)
    webhooks.load_live(business, verified=False, by=owner)


def sent(client: Client, secret: str, *, age: int = 0, body: bytes = BODY) -> int:
    """Send a delivery like the dispatcher, and return the response."""
    signature = delivery_signatures.service_signature(
        secret, int(clock.now().timestamp()) - age, BODY
    )
    return client.post(
        reverse("api:demo_receive"),
        body,
        content_type="application/json",
        headers={"Service-Signature": signature},
    ).status_code


def test_it_takes_what_either_secret_signed_and_refuses_the_rest(client, business):
    for secret in saved_keys.kept_webhook_secrets().values():
        assert sent(client, secret) == 204
        assert sent(client, secret, age=360) == 401
        assert sent(client, secret, age=-360) == 401
        assert sent(client, secret, body=BODY + b" ") == 401
        assert sent(client, secret + "x") == 401
    assert client.post(reverse("api:demo_receive")).status_code == 401

    page = client.get(reverse("api:demo_receiver")).content.decode()
    assert page.count("Valid") == 2
    assert page.count("Refused") == 9


def test_it_knows_the_secret_of_an_endpoint_that_somebody_adds(client):
    business, url = a_grant().business, receiver.url()
    owner = factories.owner_of(business)
    _, secret = endpoints.create(
        business, Environment.SANDBOX, url=url, enabled_events=["*"], by=owner
    )
    assert sent(client, secret) == 204


def test_without_the_demo_world_there_is_no_receiver(client, business, settings):
    settings.DEMO = False

    assert client.get(reverse("api:demo_receiver")).status_code == 404
    assert client.post(reverse("api:demo_receive")).status_code == 404
    assert receiver.newest() == []


def test_what_it_keeps_stays_small(client, business, monkeypatch):
    monkeypatch.setattr(receiver, "_MOST_BYTES", 10_000)
    for number in range(120):
        receiver.receive("", b"%d" % number)

    assert receiver.newest()[0].body == "119"
    assert len(receiver.newest()) == receiver.MOST_KEPT
    assert receiver._path().stat().st_size < 20_000


def test_the_endpoint_has_deliveries_of_every_state(business):
    (endpoint,) = WebhookEndpoint.objects.of(business).filter(environment="sandbox")
    (live,) = WebhookEndpoint.objects.of(business).filter(environment="live")

    listed = delivery_log.page(endpoint, delivery_log.DeliveryFilters()).rows
    assert {one.label for one in listed} >= {"Delivered", "Failed", "Pending"}
    for one in listed:
        one.row.endpoint = endpoint
        assert len(deliveries.attempts(one.row)) == one.row.attempts
        assert json.loads(deliveries.body(one.row) or b"{}")["environment"] == "sandbox"
    assert endpoint.verification == "verified"
    assert live.holds


def test_it_is_made_once_and_only_where_it_can_be_reached(business, settings):
    _load(business)
    assert WebhookEndpoint.objects.count() == 2

    settings.WEBHOOK_ALLOW_HTTP = False
    other = a_grant().business
    _load(other)
    assert not WebhookEndpoint.objects.of(other).exists()
    assert not QueuedDelivery.objects.filter(endpoint__business=other).exists()
