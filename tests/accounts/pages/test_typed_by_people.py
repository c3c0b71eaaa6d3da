"""Addresses, passwords and codes as people and their keyboards type them."""

import unicodedata

import pytest
from django.urls import reverse

from console.accounts.models import User
from tests import factories
from tests.accounts.pages.journey import PASSWORD, a_person_with_a_password, alerts, link_in
from tests.accounts.pages.test_sign_in_pages import CODE, sign_in

SIGN_UP = reverse("accounts:sign_up")
FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")
SPELLINGS = {
    "no-break space": lambda code: f"{code[:3]}\u00a0{code[3:]}",
    "tab": lambda code: f"\t{code[:3]}\t{code[3:]}",
    "full-width digits": lambda code: code.translate(FULL_WIDTH),
    "hyphen": lambda code: f"{code[:3]}\u2011{code[3:]}",
    "direction": lambda code: f"\u2068{code}\u2069",
}


def filled(email, password=PASSWORD):
    return {"name": "Siobhán O’Dowd", "email": email, "password": password}


def signed_up(client, mailoutbox, typed):
    """Sign up and confirm with the link in the e-mail."""
    assert client.post(SIGN_UP, typed).status_code == 302
    factories.settle()
    client.post(link_in(mailoutbox[-1]), {"code": typed["password"]})
    client.post(reverse("accounts:sign_out"))


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("siobhan.o'dowd@example.ie", "Siobhan.O'Dowd@example.ie"),
        ("a@müller.example", "a@xn--mller-kva.example"),
        ("a@xn--mller-kva.example", "a@MÜLLER.example"),
        ("a@müller.example", "a@mu\u0308ller.example"),
    ],
)
def test_two_spellings_of_an_address_are_one_account(client, mailoutbox, first, again):
    signed_up(client, mailoutbox, filled(first))
    client.post(SIGN_UP, filled(again))

    assert User.objects.count() == 1
    assert sign_in(client, email=again).url == "/"


def test_an_address_that_no_mail_reaches_is_refused_where_it_is_typed(client):
    assert "without accents" in alerts(client.post(SIGN_UP, filled("jlópez@example.com")))


@pytest.mark.parametrize(("first", "again"), [("NFC", "NFD"), ("NFD", "NFC")])
def test_a_password_is_the_same_on_every_keyboard(client, mailoutbox, first, again):
    password = "purpleé mönkey dishwäsher lamp"
    signed_up(client, mailoutbox, filled("a@example.com", unicodedata.normalize(first, password)))

    typed = unicodedata.normalize(again, password)
    assert sign_in(client, email="a@example.com", password=typed).url == "/"


@pytest.mark.parametrize("spell", SPELLINGS.values(), ids=SPELLINGS)
def test_a_code_is_taken_at_sign_in(client, spell):
    seed = factories.an_authenticator(a_person_with_a_password())
    sign_in(client)
    assert client.post(CODE, {"code": spell(factories.a_code(seed))}).status_code == 302
