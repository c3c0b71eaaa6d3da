"""Shared by page tests of accounts: a good password, and the last e-mail's link."""

import re

from console.accounts.models import User
from console.core import clock

PASSWORD = "correct horse battery staple"
OTHER = "purple monkey dishwasher lamp"


def a_person_with_a_password(email: str = "amara@example.com", *, confirmed: bool = True) -> User:
    """Return a user who can sign in on the page."""
    person = User.objects.create_user(email, name="Amara Okafor", password=PASSWORD)
    if confirmed:
        person.email_confirmed_at = clock.now()
        person.save()
    return person


def link_in(mail) -> str:
    """Return the path of the link in an e-mail."""
    found = re.search(r"https?://[^/]+(/\S+)", mail.body)
    assert found, mail.body
    return found[1]


def alerts(response) -> str:
    """Return the error that the page shows."""
    page = response.content.decode()
    found = re.search(r'<div class="summary".*?</div>', page, re.DOTALL)
    return re.sub(r"<[^>]+>", " ", found[0]) if found else ""
