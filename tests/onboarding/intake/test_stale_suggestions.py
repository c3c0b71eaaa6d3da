"""A suggestion on a page that is out of date, and what somebody answered meanwhile."""

from typing import Any

import pytest

from onboarding.intake import answers
from onboarding.intake.merging import OpenPage
from tests import factories
from tests.onboarding import answered
from tests.onboarding.intake.conftest import kept
from tests.onboarding.intake.forms_over_http import Form
from tests.onboarding.intake.sending import address, flat

KNOWN = {
    "legal_identity": {"li_country_incorporation": "GB", "li_contact_email": "ada@example.com"},
    "corridors": {"co_rows": answered.answers()["co_rows"]},
    "volumes": {"vo_currency": "USD"},
}
STREET = {"line1": "1 High Street", "city": "Bristol", "postal_code": "BS1 4DJ", "country": "GB"}
ANSWERED = [
    ("settlement", "se_currencies", ["NGN", "USD"]),
    ("settlement", "se_currencies", []),
    ("settlement", "se_bank_country", "FR"),
    ("legal_identity", "li_legal_name", "Lantern Bridge Trading Limited"),
    ("legal_identity", "li_registered_address", STREET),
    ("legal_identity", "li_operating_countries", ["GB", "NG"]),
    ("products", "pr_tech_email", "bob@example.com"),
    ("volumes", "vo_currency", "EUR"),
]

OTHER = {
    "se_currencies": "JPY",
    "se_bank_country": "DE",
    "li_legal_name": "Other Limited",
    "li_registered_address": "IE",
    "li_operating_countries": "IE",
    "pr_tech_email": "eve@example.com",
    "vo_currency": "NGN",
}


@pytest.fixture(params=ANSWERED, ids=lambda one: f"{one[1]}={one[2]}"[:40])
def stale(request, page, application):
    """A page with a suggestion, whose question was then answered in another window."""
    section, key, theirs = request.param
    owner = factories.owner_of(application.business)
    for known, typed in KNOWN.items():
        if known != section or key.startswith("li_"):
            answers.save_section(application, known, typed, page=OpenPage(0), by=owner)
    return Stale(page, application, section, key, theirs)


class Stale:
    """The out-of-date page of one person, who then presses its button."""

    def __init__(self, client: Any, application: Any, section: str, key: str, theirs: Any) -> None:
        self.client, self.application, self.key, self.theirs = client, application, key, theirs
        self.url = address(application, "section", section)
        form = Form(client.get(self.url).content.decode())
        self.fields: dict[str, list[str]] = {}
        for name, value in form.fields:
            self.fields.setdefault(name, []).append(value)
        assert any(self.fields[name] != [""] for name in self.own()), "Nothing is suggested."
        self.post({"asked": [key], "page": "bbbb", "sequence": 1} | flat(key, theirs))

    def own(self) -> list[str]:
        return [name for name in self.fields if name.split(".")[0] == self.key]

    def post(self, fields: dict[str, Any]) -> Any:
        head = {name: self.fields[name] for name in ("revision", "page", "sequence")}
        return self.client.post(self.url, head | fields)

    def kept(self) -> Any:
        return kept(self.application, self.key) or type(self.theirs)()


def test_a_suggestion_that_nobody_touched_asks_nothing_and_replaces_nothing(stale):
    """The script sends the suggestions by a button; without it the whole form is sent."""
    suggestion = {name: stale.fields[name] for name in stale.own()}
    for sent in ({"asked": [stale.key], "sequence": 1} | suggestion, stale.fields):
        assert stale.post(sent).status_code != 409
        assert stale.kept() == stale.theirs


def test_a_suggestion_that_somebody_emptied_is_told_and_replaces_nothing(stale):
    answer = stale.post({"asked": [stale.key], "sequence": 1})

    assert answer.status_code == (409 if stale.theirs else 302)
    assert stale.kept() == stale.theirs


def test_a_suggestion_that_somebody_changed_is_told_and_replaces_nothing(stale):
    asked = {"asked": [stale.key], "sequence": 1}
    answer = stale.post(asked | dict.fromkeys(stale.own()[-1:], OTHER[stale.key]))

    assert answer.status_code == 409
    assert stale.kept() == stale.theirs
