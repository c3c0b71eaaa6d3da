"""Shared by page tests of accounts: a good password, and the last e-mail's link."""

import re
from typing import Any

from django.test import Client
from django.urls import reverse

from console.accounts.models import User
from console.core import clock
from tests import factories
from tests.onboarding.intake.forms_over_http import Form

PASSWORD = "correct horse battery staple"
OTHER = "purple monkey dishwasher lamp"


def a_person_with_a_password(email: str = "amara@example.com", *, confirmed: bool = True) -> User:
    """Return a user who can sign in on the page."""
    person = User(email=email, name="Amara Okafor")
    person.set_password(PASSWORD)
    person.email_confirmed_at = clock.now() if confirmed else None
    return factories.keep(person)


def link_in(mail) -> str:
    """Return the path of the link in an e-mail."""
    found = re.search(r"https?://[^/]+(/\S+)", mail.body)
    assert found, mail.body
    return found[1]


def alerts(response) -> str:
    """Return the error that the page shows."""
    page = response.text
    found = re.search(r'<div class="summary".*?</div>', page, re.DOTALL)
    return re.sub(r"<[^>]+>", " ", found[0]) if found else ""


def sent_again(client: Client, response: Any) -> Any:
    """Submit the form of a page that shows what was typed before, as it is."""
    form = Form(response.text)
    typed: dict[str, list[str]] = {}
    for name, value in form.fields:
        typed.setdefault(name, []).append(value)
    return client.post(form.action, typed)


def confirmed_and_resumed(client: Client, response: Any, person: User) -> Any:
    """Enter a code where a form led to re-authentication, and submit the form again."""
    code = {"code": factories.a_code(factories.seed_of(person))}
    onward = client.post(response["Location"], code)
    assert onward["Location"] == reverse("accounts:resume")
    return sent_again(client, client.get(onward["Location"]))
