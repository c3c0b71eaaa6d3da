"""A person filling in a section in a real browser."""

from collections.abc import Callable
from random import Random
from typing import Any

from playwright.sync_api import Browser, Request

from console.accounts.models import Session, User
from onboarding.models import Application
from onboarding.questionnaire import loading
from tests.browser import Visitor
from tests.onboarding.intake.conftest import sign_in
from tests.onboarding.intake.sending import address
from tests.onboarding.intake.two_people import EMPTY, TYPED

# Reads all shown values in one call.
SHOWS = """keys => Object.fromEntries(keys.map(key => [key,
  [...document.querySelectorAll(`main [name="${key}"]`)]
    .filter(field => !["radio", "checkbox"].includes(field.type) || field.checked)
    .map(field => field.value)]))"""


# Network latencies in milliseconds. With latency, an autosave and the button's request are under
# way at the same time, and a page being left still receives the response to its save.
LATENCIES = [0, 60, 300]


class InABrowser(Visitor):
    """A person at a browser of their own, with or without JavaScript, at a random latency."""

    def __init__(
        self, browser: Browser, url: str, person: User, application: Application, random: Random
    ) -> None:
        scripts = random.random() < 0.75
        super().__init__(browser, url, java_script_enabled=scripts)
        self.person, self.application, self.url = person, application, url
        self.saves_by_itself, self.random = scripts, random
        self._move_away(random.choice(LATENCIES))
        self.on_their_way: set[Request] = set()
        self.page.on("request", self._begins)
        self.page.on("response", lambda answer: self.on_their_way.discard(answer.request))
        self.page.on("requestfailed", lambda request: self.on_their_way.discard(request))
        self._sign_in()

    def open(self, section: str) -> None:
        self._sign_in()
        self.section = section
        self.on_their_way.clear()
        self.go(address(self.application, "section", section))

    def answer(self, key: str, typed: Any) -> None:
        fields = self.page.locator(f'main [name="{key}"]')
        kind = fields.first.evaluate("field => field.type")
        if kind == "checkbox":
            for box in fields.all():
                self.tick(box, on=box.get_attribute("value") in typed)
        elif kind == "radio":
            self.tick(fields.and_(self.page.locator(f'[value="{typed}"]')))
        elif kind == "select-one":
            self.choose(fields, typed)
        else:
            fields.fill(typed)

    def shows(self) -> dict[str, Any]:
        found = self.page.evaluate(SHOWS, list(TYPED[self.section]))
        return {k: v if isinstance(EMPTY[k], list) else "".join(v) for k, v in found.items()}

    def autosave(self) -> set[str]:
        """Leave the field, sign in again if asked, and return the keys that were not saved."""
        said = self._settled()
        unsaved = self.application_labels(said)
        assert bool(unsaved) == said.startswith("Not saved. "), said
        return unsaved

    def save(self) -> set[str]:
        if self.saves_by_itself and (self.is_out() or self.random.random() < 0.5):
            self._settled()
        self._press_save()
        while self.page.locator("h1").inner_text() == "Not sent yet":
            self._sign_in()
            with self.page.expect_navigation():
                self.page.get_by_role("button", name="Send again").click()
        marked = self.page.locator("[data-unsaved]").all()
        return {str(field.get_attribute("value")) for field in marked}

    def leave(self) -> None:
        self.go("/verify/")

    def lose_session(self) -> None:
        Session.objects.filter(user=self.person).delete()

    def is_out(self) -> bool:
        return not Session.objects.filter(user=self.person).exists()

    def application_labels(self, said: str) -> set[str]:
        """Return the keys of the questions named in the message."""
        section = loading.EDITIONS.load(self.application.edition).section(self.section)
        return {q.key for q in section.questions if f"“{q.label}”" in said}

    def _settled(self) -> str:
        """Wait until the answers are saved or refused, signing in again if asked."""
        self.page.evaluate("document.activeElement.blur()")
        self._wait(lambda: "Saving" not in self._said() and not self.on_their_way)
        if "you are signed out" in self._said():
            self._press_and_stay()
            self._sign_in()
            self.page.evaluate("dispatchEvent(new Event('focus'))")
            self._wait(lambda: "you are signed out" not in self._said() and not self.on_their_way)
        return self._said()

    def _press_and_stay(self) -> None:
        """While signed out, pressing the button keeps the page and everything typed."""
        before = self.shows()
        # Wait for the response, or the form would be submitted after signing in again.
        with self.page.expect_response(lambda answer: _is_fetch(answer.request) and answer.ok):
            self.page.get_by_role("button", name="Save and continue").last.click()
        self._wait(lambda: not self.on_their_way)
        assert self.shows() == before

    def _said(self) -> str:
        return self.page.locator("[data-saved]").inner_text()

    def _wait(self, until: Callable[[], bool]) -> None:
        for _ in range(1_000):
            # Pause first, so that requests just caused have started.
            self.page.wait_for_timeout(10)
            if until():
                return
        raise AssertionError(f"{self.page.url} says {self._said()!r}")

    def _move_away(self, milliseconds: int) -> None:
        line = self.context.new_cdp_session(self.page)
        unbounded = {"downloadThroughput": -1, "uploadThroughput": -1}
        conditions = {"offline": False, "latency": milliseconds, **unbounded}
        line.send("Network.enable")
        line.send("Network.emulateNetworkConditions", conditions)

    def _begins(self, request: Request) -> None:
        if _is_fetch(request):
            self.on_their_way.add(request)

    def _sign_in(self) -> None:
        if self.is_out() or not self.context.cookies():
            sign_in(self, self.person, self.url)

    def _press_save(self) -> None:
        with self.page.expect_navigation():
            self.page.get_by_role("button", name="Save and continue").last.click()


def _is_fetch(request: Request) -> bool:
    """Return whether the page's script sent the request, to save or to check the session."""
    return request.resource_type == "fetch"
