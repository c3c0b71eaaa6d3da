"""Real browsers for tests: Debian's Chromium, one profile per person, with console messages."""

import logging
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from re import Pattern
from typing import Any

import pytest
from django.db import connection
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Frame,
    Locator,
    Page,
    Request,
    expect,
    sync_playwright,
)

from console.launch.dependency_checks import CHROMIUM

LOG = logging.getLogger(__name__)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
# Generous for slow machines: a late result is still right.
expect.set_options(timeout=30_000)
_MOMENT = 20  # milliseconds
_TO_LEAVE = 3_000  # milliseconds within which a click becomes a request, at most
_TO_ARRIVE = 60_000
# A form is submitted or a page is requested; scripts may still prevent it.
_LEADS_AWAY = """e => {
    const link = e.closest("a[href]");
    const button = e.closest("button, input");
    return Boolean(link || (button && button.form && button.type === "submit"));
}"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser for the tests of one file."""
    yield from opened()


@pytest.fixture
def another_chromium(chromium: Browser) -> Iterator[Browser]:
    """A second browser in a separate process."""
    browser = chromium.browser_type.launch(executable_path=program(), args=ARGUMENTS)
    yield browser
    browser.close()


# Playwright leaves an event loop in its thread, where no second one may start, so this stops it.
def opened(*flags: str) -> Iterator[Browser]:
    """Return the system's Chromium, or fail: browser tests are never skipped silently."""
    path = program()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*ARGUMENTS, *flags])
        yield browser
        browser.close()
        connection.close()  # the one that Django opened during the event loop


def program() -> str:
    """Return the path of the system's Chromium."""
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        pytest.fail("Chromium is missing. Install it: apt-get install chromium-headless-shell")
    return path


class Visitor:
    """One person with their own browser. `said` collects the browser's complaints."""

    def __init__(self, browser: Browser, base_url: str, **options: Any) -> None:
        settings = {"viewport": {"width": 1440, "height": 900}} | options
        self.context: BrowserContext = browser.new_context(base_url=base_url, **settings)
        self.context.set_default_timeout(60_000)
        self.page: Page = self.context.new_page()
        self.said: list[str] = []
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self._note(str(error)))
        self._leaving: bool | None = None  # nothing has happened yet
        self.page.on("request", self._leave)
        self.page.on("requestfailed", self._stay)
        self.page.on("framenavigated", self._arrive)

    def go(self, path: str) -> Page:
        self._load(lambda: self.page.goto(path))
        return self.page

    def reload(self) -> None:
        self._load(self.page.reload)

    def _load(self, load: Callable[[], object]) -> None:
        """Load a page, again if the page before it loaded another at the same moment."""
        try:
            load()
        except Error as error:
            if "net::ERR_ABORTED" not in error.message:
                raise
            load()

    def press(self, name: str | Pattern[str]) -> Page:
        """Click the visible button or link with that name."""
        exact = isinstance(name, str)
        found = self.page.get_by_role("button", name=name, exact=exact)
        return self.click(found.or_(self.page.get_by_role("link", name=name, exact=exact)))

    def click(self, at: Locator) -> Page:
        """Click a button or a link, and wait for the result."""
        # The driver does not wait, and a request made too early would cancel the form's.
        begins = _TO_LEAVE if at.first.evaluate(_LEADS_AWAY) else _MOMENT
        self._leaving = None
        at.first.click()
        self.wait_until(lambda: self._leaving is not None, at_most=begins)
        self.wait_until(lambda: not self._leaving)
        self.page.wait_for_load_state()
        return self.page

    def wait_until(self, is_so: Callable[[], bool], *, at_most: int = _TO_ARRIVE) -> None:
        """Wait for the condition, at most this many milliseconds; it may still be unmet."""
        until = time.monotonic() + at_most / 1000
        while not is_so() and time.monotonic() < until:
            self.page.wait_for_timeout(_MOMENT)

    def write(self, field: Locator, text: str) -> None:
        field.first.fill(text)

    def tick(self, box: Locator, *, on: bool = True) -> None:
        """Check a checkbox or radio button, or clear a checkbox."""
        box.first.set_checked(on)

    def choose(self, field: Locator, value: str) -> None:
        """Choose an option of a select."""
        field.first.select_option(value)

    def attach(self, field: Locator, file: Path) -> None:
        field.first.set_input_files(file)

    def reads(self, words: str) -> bool:
        return words in self.page.locator("body").inner_text()

    def close(self) -> None:
        self.context.close()

    def _leave(self, request: Request, *, leaving: bool = True) -> None:
        if request.is_navigation_request() and request.frame == self.page.main_frame:
            self._leaving = leaving

    def _stay(self, request: Request) -> None:
        """A download or a prevented submission does not lead to another page."""
        LOG.warning("%s: %s", request.url, request.failure)  # shown if the test fails
        self._leave(request, leaving=False)

    def _arrive(self, frame: Frame) -> None:
        if frame == self.page.main_frame:
            self._leaving = False

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._note(f"{self.page.url}: {message.text}")

    def _note(self, complaint: str) -> None:
        LOG.warning(complaint)  # shown if the test fails
        self.said.append(complaint)
