"""Browsers on the questionnaire's pages, signed in as members of the business."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser

from onboarding.intake import answers
from tests import factories
from tests.browser import Visitor
from tests.onboarding.intake.sending import address
from tests.waiting import eventually


@pytest.fixture
def at(chromium: Browser, live_server: Any) -> Iterator[Any]:
    """Return a function that opens a browser with the person signed in."""
    opened: list[Visitor] = []

    def visitor(person: Any, **options: Any) -> Visitor:
        opened.append(Visitor(chromium, live_server.url, **options))
        sign_in(opened[-1], person, live_server.url)
        return opened[-1]

    yield visitor
    for one in opened:
        one.close()


def sign_in(visitor: Visitor, person: Any, url: str) -> None:
    """Give the browser a new session for the person, which also changes its CSRF token."""
    client = factories.signed_in(Client(), person)
    name = settings.SESSION_COOKIE_NAME
    visitor.context.clear_cookies()
    cookie: Any = {"name": name, "value": client.cookies[name].value, "url": url}
    visitor.context.add_cookies([cookie])


@pytest.fixture
def owner(application: Any) -> Any:
    return factories.owner_of(application.business)


def kept(application: Any, key: str) -> Any:
    return answers.answer_set(application).values.get(key)


def opened(visitor: Visitor, application: Any, section: str = "settlement") -> Any:
    page = visitor.go(address(application, "section", section))
    page.wait_for_load_state("networkidle")
    return page


def is_kept(application: Any, key: str, value: Any) -> None:
    """Wait until the answer is saved; leaving a page does not wait for its save."""
    eventually(lambda: kept(application, key) == value)
