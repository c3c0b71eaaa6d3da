"""The endpoint page in a real browser shows the result of a verification by itself."""

from typing import Any

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Browser, expect

from apikeys.webhooks import verification
from console.accounts.actors import SYSTEM
from tests import factories
from tests.apikeys.webhooks import world
from tests.browser import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_it_says_verified_without_a_press_and_asks_no_more(
    chromium: Browser, live_server: Any, client: Any
) -> None:
    endpoint, _ = world.an_endpoint()
    owner = factories.owner_of(endpoint.business)
    probe = verification.ask(endpoint, by=owner)
    factories.signed_in(client, owner)
    at = Visitor(chromium, live_server.url)
    key = client.cookies[settings.SESSION_COOKIE_NAME].value
    cookie: Any = {"name": settings.SESSION_COOKIE_NAME, "value": key, "url": live_server.url}
    at.context.add_cookies([cookie])
    ids = [endpoint.business.public_id, endpoint.public_id]
    page = at.go(reverse("apikeys:endpoint", args=ids))
    head = page.locator("header.head")
    expect(head).to_contain_text("Not verified")

    verification.settle(probe, [], method="probe", by=SYSTEM)

    expect(head).to_contain_text("Verified")
    expect(head).not_to_contain_text("Not verified")
    expect(page.locator("[hx-trigger]")).to_have_count(0)
    at.close()
