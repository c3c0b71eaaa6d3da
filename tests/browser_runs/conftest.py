"""The data of the matrices behind a real server, and signed-in browsers."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer

from agreements.lifecycle import PackStatus
from agreements.models import Pack
from console.accounts.models import User
from tests import factories
from tests.browser import Visitor, opened
from tests.browser_runs.commits import committed
from tests.databases import empty_tables
from tests.matrices import world as building
from tests.matrices.world import World

At = Callable[..., Visitor]


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """One browser for all of these runs."""
    yield from opened()


@pytest.fixture(scope="package")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """An executed business and people of every role, committed once."""
    with django_db_blocker.unblock():
        yield committed(building.build, alone=True)
        empty_tables()


@pytest.fixture(scope="package")
def to_approve(world: World, django_db_blocker: Any) -> Pack:
    """A pack that waits for our approvals."""
    with django_db_blocker.unblock():
        return committed(factories.a_pack, PackStatus.IN_APPROVAL)


@pytest.fixture(scope="package")
def site(world: World) -> Iterator[str]:
    """The console on its own port, with committed data."""
    server = LiveServer("localhost")
    yield server.url
    server.stop()


@pytest.fixture(scope="package")
def at(site: str, chromium: Browser, django_db_blocker: Any) -> Iterator[At]:
    """Return a person's own signed-in browser: `at(person)`; None means anonymous.

    Signed in `by` password, the person may lack an authenticator.
    """
    opened: dict[Any, Visitor] = {}

    def browser_of(person: User | None, *, by: str = "code", **options: Any) -> Visitor:
        known = (person and person.pk, by, tuple(options))
        if known not in opened:
            opened[known] = Visitor(chromium, site, **options)
            if person:
                with django_db_blocker.unblock():
                    cookie = committed(_cookie, person, site, by)
                opened[known].context.add_cookies([cookie])
        return opened[known]

    yield browser_of
    for visitor in opened.values():
        visitor.close()


def _cookie(person: User, site: str, by: str) -> Any:
    client = factories.signed_in(Client(), person, by=by)
    name = settings.SESSION_COOKIE_NAME
    return {"name": name, "value": client.cookies[name].value, "url": site}
