"""A person's actions on the console's pages."""

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from django_otp.oath import totp
from playwright.sync_api import Browser, Locator, Page

from tests.browser import Visitor
from tests.waiting import PATIENCE

PASSWORD = "four quiet herons asleep"
# More sections than the questionnaire has, to detect an endless loop.
MOST_SECTIONS = 30
# Answers of a user who is the signatory.
I_SIGN = {"ow_signatory": "me", "ow_signatory_name": None, "ow_signatory_email": None}


class Person(Visitor):
    """A person with their own browser, who may have an account and an authenticator."""

    def __init__(
        self,
        browser: Browser,
        base_url: str,
        name: str,
        email: str,
        *,
        password: str = PASSWORD,
        seed: bytes = b"",
        **options: Any,
    ) -> None:
        super().__init__(browser, base_url, **options)
        self.name, self.email, self.password, self.seed = name, email, password, seed
        # Counts of the actions the console requires: buttons, links and pages opened, and fields.
        self.presses = self.fields = 0
        self.typed = ""  # the newest one-time code

    def go(self, path: str) -> Page:
        self.presses += not path.startswith("/demo/")
        return super().go(path)

    def on(self, path: str) -> Page:
        """Open the page, unless the console led here by itself."""
        return self.page if self.page.url.endswith(path) else self.go(path)

    def click(self, at: Locator) -> Page:
        self.presses += 1
        return super().click(at)

    def write(self, field: Locator, text: str) -> None:
        self.fields += 1
        super().write(field, text)

    def tick(self, box: Locator, *, on: bool = True) -> None:
        self.fields += box.first.is_checked() != on
        super().tick(box, on=on)

    def choose(self, field: Locator, value: str) -> None:
        self.fields += 1
        super().choose(field, value)

    def sign_up(self) -> None:
        """Create an account, open the e-mail's link in the same browser and sign in there."""
        page = self.go("/sign-up/")
        self.write(page.get_by_label("Your full name"), self.name)
        self.write(page.get_by_label("Work e-mail address"), self.email)
        self.write(page.get_by_label("Password"), self.password)
        self.press("Create account")
        self.open_mail("Confirm your e-mail address")
        self.press("Confirm and sign in")

    def sign_in(self) -> None:
        page = self.go("/sign-in/")
        self.write(page.get_by_label("E-mail address"), self.email)
        self.write(page.get_by_label("Password"), self.password)
        self.press("Sign in")
        for _ in range(3 if self.seed else 0):
            self.write(page.get_by_label(re.compile("code", re.IGNORECASE)), self.code())
            self.press("Continue")
            if not self.reads("That code did not work"):
                break
            # The code expired before it arrived: on a slow machine, about one time in thirty. The
            # console does not require that, so it is not counted.
            self.fields, self.presses = self.fields - 1, self.presses - 1
            page.wait_for_timeout(30_000)
        self.wait_until(lambda: "/sign-in/" not in self.page.url)
        assert "/sign-in/" not in self.page.url, self.page.inner_text("body")[:800]

    def open_mail(self, subject: str) -> None:
        """Wait for the newest e-mail with that subject and follow its link."""
        for _ in range(int(PATIENCE / 0.5)):
            page = self.go(f"/demo/mail/?to={self.email}")
            mails = page.get_by_role("link", name=subject)
            if mails.count():
                break
            page.wait_for_timeout(500)
        self.click(mails)
        self.click(self.page.locator("main .prose a[href*='//']"))

    def set_up_authenticator(self) -> None:
        self.go("/account/")
        self.press("Set up authenticator app")
        self.take_the_seed()

    def set_up_the_app_on_this_page(self) -> None:
        """Set up the authenticator when the console requires it during another task."""
        self.press("Show the code to scan")
        self.take_the_seed()

    def take_the_seed(self) -> None:
        page = self.page
        text = page.locator(".secret code").inner_text().replace(" ", "")
        self.seed = base64.b32decode(text + "=" * (-len(text) % 8))
        self.write(page.get_by_label("Six digits"), self.code())
        self.press("Finish")

    def code(self) -> str:
        self.typed = f"{totp(self.seed):06d}"
        return self.typed

    def prove(self) -> None:
        """Type a one-time code that was not used before, for the act on this page."""
        self.wait_until(lambda: f"{totp(self.seed):06d}" != self.typed, at_most=31_000)
        self.write(self.page.get_by_label("One-time code"), self.code())

    def add_business(self, name: str) -> str:
        """Register a business and return its address."""
        page = self.on("/businesses/new/")
        self.write(page.get_by_label("Name of the business"), name)
        self.press("Add business")
        found = re.search(r"/b/[^/]+/", self.page.url)
        assert found, self.page.url
        return found[0]

    def submit(self, business_path: str) -> None:
        """Tick the declaration on the check page and submit, setting up an app if asked."""
        self.on(f"{business_path}access/check/")
        self.tick(self.page.locator("main input[type=checkbox]"))
        self.press("Submit")
        if not self.seed:
            self.set_up_the_app_on_this_page()
            self.press("I have saved them")
            self.finish()

    def finish(self) -> None:
        """Wait until the page sends the form again; without scripts, press its button."""
        self.wait_until(lambda: not self.page.url.endswith("/resume/"), at_most=3_000)
        if self.page.url.endswith("/resume/"):
            self.press("Continue")

    def read_and_accept_all(self, business_path: str) -> int:
        """Accept the pack document by document; return their number."""
        page = self.on(f"{business_path}agreements/")
        self.click(page.locator("main a[href*='/documents/']"))
        for count in range(40):
            accept = page.get_by_role("button", name="I have read this and accept it")
            if "/sign/" in page.url or not accept.count():
                return count
            self.click(accept)
        raise AssertionError("There is no end to the documents.")

    def sign(self) -> None:
        """Sign all documents at once, with a one-time code."""
        self.prove()
        self.press(re.compile("^Sign all"))

    def check_file(self, file: Path) -> None:
        """Upload a file to the verification page."""
        page = self.go("/verify/")
        self.attach(page.locator("input[type=file]"), file)
        self.press(re.compile("^(Check|Send) the file$"))

    def create_key(
        self, business_path: str, scopes: Sequence[str] = (), *, environment: str = "sandbox"
    ) -> str:
        """Create a key with these scopes, or all, and return it."""
        page = self.go(f"{business_path}keys/new/?environment={environment}")
        self.write(page.get_by_label("Name"), "Walk")
        for box in page.locator("main input[name=scopes]").all():
            self.tick(box, on=not scopes or box.get_attribute("value") in scopes)
        self.press("Create key")
        plain = page.locator("#key-value").inner_text()
        self.tick(page.get_by_label("I have stored it safely"))
        self.press("Done")
        return plain

    def revoke_key(self, business_path: str, plain: str) -> None:
        """Revoke the key, typing its name to confirm."""
        key_id = plain.partition(":")[0]
        page = self.go(f"{business_path}keys/{key_id}/revoke/")
        self.write(page.locator("main form [name=name]"), "Walk")
        self.write(page.get_by_label("Reason"), "The walk is over.")
        self.press("Revoke Walk")

    def decide(self, label: str) -> None:
        """Press the decision's button on the first case, waiting until it is offered.

        The previous person's decision may still be in progress.
        """
        for _ in range(int(PATIENCE / 0.5)):
            found = self.go("/review/packs/").locator("main a[href^='/review/app_']")
            if found.count():
                page = self.go(found.first.get_attribute("href") or "")
                page_of_its_own = page.get_by_role("link", name=label, exact=True)
                if page_of_its_own.count():
                    self.click(page_of_its_own)
                if page.get_by_role("button", name=label, exact=True).count():
                    self.prove()
                    self.press(label)
                    return
            self.page.wait_for_timeout(500)
        raise AssertionError(f"No case offers {label!r}: {self.page.inner_text('main')[:800]}")

    def wait_for(self, words: str, *, seconds: float = PATIENCE) -> None:
        """Reload until the page contains the words."""
        for _ in range(int(seconds / 0.5)):
            if self.reads(words):
                return
            self.page.wait_for_timeout(500)
            self.reload()
        raise AssertionError(
            f"{self.page.url} does not say {words!r}: {self.page.inner_text('main')[:800]}"
        )

    def answer(self, business_path: str, answers: Mapping[str, Any]) -> None:
        """Start the application if needed, and answer every section in order."""
        page = self.on(f"{business_path}access/")
        start = page.get_by_role("button", name="Start")
        self.click(start if start.count() else page.locator(".tasks a").first)
        for _ in range(MOST_SECTIONS):
            if page.url.endswith("/check/"):
                return
            self.answer_here(answers)
        raise AssertionError(f"There is no end to the sections: {page.url}")

    def answer_here(self, answers: Mapping[str, Any]) -> None:
        """Answer the open section, save it and wait for the next page."""
        self.fill(answers)
        with self.page.expect_navigation():
            self.press("Save and continue")

    def fill(self, answers: Mapping[str, Any]) -> None:
        """Fill in every answer that has a field on the page, from top to bottom."""
        typed = [pair for key, value in answers.items() for pair in _fields(key, value)]
        done: set[int] = set()
        while ahead := self._ahead(typed, done):
            name, text = typed[ahead[0]]
            field = self.page.locator(f'[name="{name}"]')
            self.put(field, text)
            done.add(ahead[0])
            if name == "li_registration_number":
                self.use_the_register(field)
            elif not self._ahead(typed, done):
                self._add_a_row(typed, done)

    def _add_a_row(self, typed: Sequence[tuple[str, str]], done: set[int]) -> None:
        """Press the button for another row, if a question here has more rows than the page."""
        left = {typed[at][0].partition(".")[0] for at in range(len(typed)) if at not in done}
        for button in self.page.locator("main button[name=more]").all():
            if button.get_attribute("value") in left:
                with self.page.expect_navigation():
                    self.click(button)
                return

    def _ahead(self, typed: Sequence[tuple[str, str]], done: set[int]) -> list[int]:
        """Return the positions of the answers left that have a field here, in the page's order."""
        names = self.page.locator("main [name]").evaluate_all("all => all.map((e) => e.name)")
        left = (at for at in range(len(typed)) if at not in done and typed[at][0] in names)
        return sorted(left, key=lambda at: names.index(typed[at][0]))

    def use_the_register(self, number: Locator) -> None:
        """Leave the number, and take over what a register states of the company, if offered."""
        number.press("Tab")
        use = self.page.get_by_role("button", name="Use these details")
        self.wait_until(lambda: use.count() > 0, at_most=3_000)
        if use.count():
            with self.page.expect_navigation():
                self.click(use)

    def put(self, field: Locator, value: str) -> None:
        """Enter one value in a field of any type, unless the console has filled it in."""
        kind = field.first.evaluate("e => e.type || e.tagName.toLowerCase()")
        if kind not in ("radio", "checkbox") and value in [at.input_value() for at in field.all()]:
            return
        if kind in ("radio", "checkbox"):
            self.tick(field.and_(self.page.locator(f'[value="{value}"]')))
        elif kind == "select-one":
            empty = [one for one in field.all() if not one.input_value()]
            self.choose((empty or field.all())[0], value)
        else:
            self.write(field, value)
            return
        # A choice brings suggestions for the next fields, which a person sees at once.
        self.wait_until(lambda: not self.reads("Saving …"))


def _fields(key: str, value: Any) -> Iterator[tuple[str, str]]:
    """Yield an answer's field names and values: rows are numbered, addresses have parts."""
    if isinstance(value, dict):
        yield from ((f"{key}.{part}", text) for part, text in value.items())
    elif not isinstance(value, list):
        yield key, value
    else:
        for number, one in enumerate(value):
            here = f"{key}.{number}" if isinstance(one, dict) else key
            yield from _fields(here, one)
