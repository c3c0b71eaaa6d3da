"""A checkout host on its own port, and a business with one verified domain."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer

from api.checkout import domains
from api.checkout.lifecycle import DomainMethod
from api.payments.models import CheckoutSession
from console.accounts.models import Business
from tests import factories
from tests.apikeys import world
from tests.browser import opened
from tests.browser_runs.commits import committed
from tests.databases import empty_tables
from tests.widget import shops
from tests.widget.shops import Shop


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """One browser for all of these tests."""
    yield from opened(shops.REACH_THIS_MACHINE)


@pytest.fixture(scope="package")
def business(django_db_setup: None, django_db_blocker: Any) -> Iterator[Business]:
    """A business that has verified `shop.example`."""
    with django_db_blocker.unblock():
        yield committed(_a_business)
        empty_tables()


def _a_business() -> Business:
    business = world.a_grant(products=("balances", "checkout")).business
    owner = factories.owner_of(business)
    domain = domains.add(business, urlsplit(shops.SHOP).netloc, by=owner)
    domains.settle(domain, DomainMethod.DNS, by=owner)
    return business


@pytest.fixture(scope="package")
def _checkout_host(business: Business) -> Iterator[None]:
    server = LiveServer("localhost")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            settings, "CHECKOUT_ORIGIN", f"http://checkout.localhost:{server.thread.port}"
        )
        yield
    server.stop()


@pytest.fixture
def session(_checkout_host: None, business: Business) -> CheckoutSession:
    """A new session, which nobody has paid."""
    return shops.open_session(business)


@pytest.fixture
def at(_checkout_host: None, chromium: Browser) -> Iterator[shops.At]:
    """Open the page of a shop in a browser of its own: `at(origin)`."""
    opened: list[Shop] = []

    def shop(*args: Any, **more: Any) -> Shop:
        opened.append(Shop(chromium, *args, **more))
        return opened[-1]

    yield shop
    for one in opened:
        one.close()
