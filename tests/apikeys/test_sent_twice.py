"""Resubmitting a form whose response shows a secret does nothing and redirects."""

import html
import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apikeys.keys import rotation
from apikeys.models import ApiKey
from apikeys.secrets import SHAPE
from apikeys.webhooks import addresses
from apikeys.webhooks.models import WebhookEndpoint
from console.accounts.roles import Role
from tests import factories
from tests.apikeys import world
from tests.apikeys.webhooks import world as webhooks

HIDDEN = re.compile(r'<input type="hidden" name="(once|replaces)" value="([^"]+)"')
SIGNING = re.compile(r"whsec_[A-Za-z0-9+/]{48}")


@pytest.fixture(autouse=True)
def _names_lead_nowhere(monkeypatch):
    """Do not look up names on the network."""
    monkeypatch.setattr(addresses, "refuse_forbidden", lambda url: None)


@pytest.fixture
def key() -> ApiKey:
    return world.a_key(world.a_grant())[0]


@pytest.fixture
def developer(client: Client, key: ApiKey) -> Client:
    return factories.signed_in(client, factories.a_member(key.business, Role.DEVELOPER))


def at(name: str, key: ApiKey, *more: str) -> str:
    return reverse(f"apikeys:{name}", args=[key.business.public_id, *more])


def sent_twice(client: Client, address: str, **typed: Any) -> tuple[Any, Any]:
    """Return the first and the second response to the form at a URL."""
    hidden = {
        name: html.unescape(text)
        for name, text in HIDDEN.findall(client.get(address).content.decode())
    }
    assert hidden
    return client.post(address, hidden | typed), client.post(address, hidden | typed)


def secrets_of_keys() -> list[tuple[int, bytes]]:
    return [(row.pk, bytes(row.digest)) for row in ApiKey.objects.order_by("pk")]


def assert_it_leads_on(again: Any, there: str) -> None:
    page = again.content.decode()
    assert again.status_code == 409
    assert "This is done already" in page
    assert "Your changes were not saved" not in page
    assert f'data-kind="primary" href="{there}"' in page
    assert not SHAPE.search(page)
    assert not SIGNING.search(page)


def test_a_key(developer, key):
    typed = {"name": "Another", "scopes": ["balances:read"], "days": "90"}
    shown, again = sent_twice(developer, at("new_key", key), **typed)

    assert SHAPE.search(shown.content.decode())
    assert_it_leads_on(again, at("keys", key))
    assert ApiKey.objects.count() == 2


@pytest.mark.parametrize("grace", ["0", "24h"])
def test_another_secret_of_a_key(developer, key, grace):
    was = secrets_of_keys()
    address = at("rotate_key", key, key.public_id)
    shown, again = sent_twice(developer, address, grace=grace)

    found = SHAPE.search(shown.content.decode())
    assert found
    assert_it_leads_on(again, at("key", key, key.public_id))
    key.refresh_from_db()
    assert [(key.pk, bytes(key.former_digest))] == was


def test_a_key_that_rotates_leads_to_its_page(developer, key):
    address = at("rotate_key", key, key.public_id)
    sent_twice(developer, address, grace="24h")
    assert developer.get(address).url == at("key", key, key.public_id)


def test_more_time_for_the_old_secret(developer, key):
    rotation.rotate(key, grace=timedelta(), by=factories.owner_of(key.business))
    page = developer.get(at("key", key, key.public_id)).text
    (seen,) = re.findall(r'name="seen" value="([^"]+)"', page)
    earlier = datetime.fromisoformat(seen) - timedelta(days=6)
    factories.change(ApiKey.objects.all(), former_ends_at=earlier)
    page = developer.get(at("key", key, key.public_id)).text
    (seen,) = re.findall(r'name="seen" value="([^"]+)"', page)

    extend = at("extend_former_secret", key, key.public_id)
    assert developer.post(extend, {"seen": seen}).status_code == 302
    assert_it_leads_on(
        developer.post(extend, {"seen": seen}), f"{at('key', key, key.public_id)}rotate/"
    )


def test_an_endpoint(developer, key):
    typed = {"url": "https://other.example.com/in", "every": "on"}
    shown, again = sent_twice(developer, at("new_endpoint", key, "sandbox"), **typed)

    assert SIGNING.search(shown.content.decode())
    assert_it_leads_on(again, at("webhooks", key))
    assert WebhookEndpoint.objects.count() == 1


@pytest.mark.parametrize("leaked", [False, True])
def test_another_secret_of_an_endpoint(developer, key, leaked):
    """The previous secret stays valid for its day, however often a page is reloaded."""
    endpoint, _ = webhooks.an_endpoint(key.business)
    replaced = bytes(endpoint.secret)
    typed = {"end_previous": "on"} if leaked else {}
    shown, again = sent_twice(developer, at("rotate_secret", key, endpoint.public_id), **typed)

    assert SIGNING.search(shown.content.decode())
    assert_it_leads_on(again, at("endpoint", key, endpoint.public_id))
    endpoint.refresh_from_db()
    assert endpoint.previous_secret == (None if leaked else replaced)


def test_a_secret_that_was_replaced_can_be_replaced_again(developer, key):
    endpoint, _ = webhooks.an_endpoint(key.business)
    address = at("rotate_secret", key, endpoint.public_id)
    sent_twice(developer, address)

    shown, _ = sent_twice(developer, address)
    assert SIGNING.search(shown.content.decode())
