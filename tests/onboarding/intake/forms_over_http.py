"""A person filling in a section over HTTP, with plain forms or like the page's script."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from django.test import Client

from console.accounts.models import Session, User
from onboarding.models import Application
from tests import factories
from tests.onboarding.intake.sending import address
from tests.onboarding.intake.two_people import EMPTY, TYPED

ORIGIN = "http://testserver"


class Form(HTMLParser):
    """The fields that a browser would send for a page's form, by name and in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.fields: list[tuple[str, str]] = []
        self.action = ""
        self._is_open = False
        self._select = self._area = ""
        self._text: list[str] = []
        self.feed(html.partition("<main")[2].partition("</main>")[0])

    def named(self, name: str) -> list[str]:
        return [value for known, value in self.fields if known == name]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found: dict[str, str] = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._is_open, self.action = True, found.get("action", "")
        if not self._is_open:
            return
        if tag == "input" and (found["type"] not in ("radio", "checkbox") or "checked" in found):
            self.fields.append((found["name"], found.get("value", "")))
        elif tag == "select":
            self._select = found["name"]
            self.fields.append((self._select, ""))
        elif tag == "option" and "selected" in found:
            self.fields[-1] = (self._select, found["value"])
        elif tag == "textarea":
            self._area, self._text = found["name"], []

    def handle_data(self, data: str) -> None:
        self._text.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self.fields.append((self._area, "".join(self._text)))
        elif tag == "form":
            self._is_open = False


@dataclass
class OverHttp:
    """A person filling in a section with Django's test client."""

    person: User
    application: Application
    saves_by_itself: bool
    client: Client = field(
        default_factory=lambda: Client(enforce_csrf_checks=True, headers={"Origin": ORIGIN})
    )
    sequence: int = 0

    def __post_init__(self) -> None:
        factories.signed_in(self.client, self.person)

    def open(self, section: str) -> None:
        self._sign_in()
        self.section, self.url = section, address(self.application, "section", section)
        self._receive(self.client.get(self.url))

    def answer(self, key: str, typed: Any) -> None:
        self.typed[key] = typed

    def shows(self) -> dict[str, Any]:
        return dict(self.typed)

    def autosave(self) -> set[str]:
        answer = self._post_by_script()
        if answer.status_code in (302, 403):
            # Like the script: after signing in again, read the new token from the page.
            assert self.client.get(self.url).status_code == 302
            self._sign_in()
            self.form_token(Form(self.client.get(self.url).content.decode()))
            answer = self._post_by_script()
        said = answer.json()
        unsaved = set(said["unsaved"])
        assert said["message"].startswith("Not saved." if unsaved else "Saved "), said
        for key in set(TYPED[self.section]) - unsaved:
            self.known[key] = self.typed[key]
        return unsaved

    def save(self) -> set[str]:
        body = self._everything() if not self.saves_by_itself else self._touched(marked=True)
        answer = self.client.post(self.url, body)
        while answer.headers.get("X-Refusal") == "signed_out":
            self._sign_in()
            body = {}
            for name, value in Form(answer.content.decode()).fields:
                body.setdefault(name, []).append(value)
            answer = self.client.post(self.url, body)
        assert answer.status_code in (302, 409, 422), answer.status_code
        if answer.status_code == 409:
            self._receive(answer)
            return set(self.marked)
        return set()

    def leave(self) -> None:
        if self.saves_by_itself:
            self._post_by_script()

    def lose_session(self) -> None:
        Session.objects.filter(user=self.person).delete()

    def is_out(self) -> bool:
        return not Session.objects.filter(user=self.person).exists()

    def form_token(self, form: Form) -> None:
        self.token = form.named("csrfmiddlewaretoken")[0]

    def _sign_in(self) -> None:
        if self.is_out():
            self.client.cookies.clear()
            factories.signed_in(self.client, self.person)

    def _receive(self, answer: Any) -> None:
        html = answer.content.decode()
        self.page, self.sequence = Form(html), 0
        self.form_token(self.page)
        keys = TYPED[self.section]
        many = {key: isinstance(EMPTY[key], list) for key in keys}
        self.typed = {
            key: self.page.named(key) if many[key] else "".join(self.page.named(key))
            for key in keys
        }
        self.known = dict(self.typed)
        self.marked = [key for key in keys if f'value="{key}" data-unsaved' in html]

    def _post_by_script(self) -> Any:
        return self.client.post(f"{self.url}autosave/", self._touched())

    def _touched(self, *, marked: bool = False) -> dict[str, Any]:
        self.sequence += 1
        touched = [key for key in self.typed if self.typed[key] != self.known[key]]
        touched += [key for key in self.marked if marked and key not in touched]
        return self._head() | {key: self.typed[key] for key in touched} | {"asked": touched}

    def _everything(self) -> dict[str, Any]:
        return self._head() | self.typed | {"asked": self.page.named("asked")}

    def _head(self) -> dict[str, Any]:
        return {
            "csrfmiddlewaretoken": self.token,
            "revision": self.page.named("revision"),
            "page": self.page.named("page"),
            "sequence": self.sequence,
        }
