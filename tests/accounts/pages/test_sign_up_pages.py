"""The sign-up pages: one task each, without revealing who else has an account."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from console.accounts.models import User
from console.core import clock
from tests import factories
from tests.accounts.pages.journey import PASSWORD, alerts, link_in

SIGN_UP = reverse("accounts:sign_up")
CHECK_MAIL = reverse("accounts:check_mail")
FILLED = {"name": "Amara Okafor", "email": "Amara@Example.com", "password": PASSWORD}


def test_a_stranger_becomes_a_person(client, mailoutbox):
    response = client.post(SIGN_UP, FILLED, follow=True)
    assert "Check your e-mail" in response.text

    factories.settle()
    link = link_in(mailoutbox[0])
    assert "Confirm and sign in" in client.get(link).text
    assert User.objects.get().email_confirmed_at is None

    response = client.post(link, follow=True)
    assert User.objects.get().email_confirmed_at
    assert response.wsgi_request.user.is_authenticated

    client.logout()
    again = client.get(link, follow=True)
    assert "confirmed already" in again.text
    assert again.redirect_chain[-1][0] == reverse("accounts:sign_in")


def test_a_name_that_is_too_long_is_refused_and_not_cut(client):
    response = client.post(SIGN_UP, FILLED | {"name": "X" * 500})

    assert "200 characters" in alerts(response)
    name = next(one for one in response.text.split("<input") if 'name="name"' in one)
    assert f'value="{"X" * 500}"' in name
    assert "maxlength" not in name


def test_an_address_without_an_at_is_refused_as_no_address(client):
    response = client.post(SIGN_UP, FILLED | {"email": "amara"})

    assert "Enter a full e-mail address" in alerts(response)
    assert "without quotes" not in alerts(response)


def sign_up(client, mailoutbox):
    """Sign up, and return the link in the e-mail."""
    client.post(SIGN_UP, FILLED)
    factories.settle()
    return link_in(mailoutbox[0])


def test_another_browser_asks_for_the_password(client, mailoutbox):
    link, phone = sign_up(client, mailoutbox), Client()
    assert 'type="password"' in phone.get(link).text

    response = phone.post(link, {"code": PASSWORD}, follow=True)
    assert response.wsgi_request.user.is_authenticated
    assert client.post(link).status_code == 200  # confirmed already: only the password signs in
    assert client.get("/account/").status_code == 302


@pytest.mark.parametrize("typed", ["", "not the password of it"])
@pytest.mark.parametrize("signs_up_too", [False, True])
def test_a_press_without_the_password_confirms_nothing(client, mailoutbox, typed, signs_up_too):
    """Someone signs up with another person's address, who follows the link in the e-mail."""
    owner = Client()
    if signs_up_too:
        owner.post(SIGN_UP, FILLED | {"password": "another password of theirs"})
    link = sign_up(client, mailoutbox)

    response = owner.post(link, {"code": typed})

    assert alerts(response)
    assert User.objects.get().email_confirmed_at is None
    assert owner.get("/account/").status_code == 302


@pytest.mark.parametrize("changed", ["an hour later", "with another password"])
def test_the_same_browser_asks_for_the_password(client, mailoutbox, changed):
    link, later = sign_up(client, mailoutbox), clock.now()
    if changed == "an hour later":
        later += timedelta(minutes=61)
    else:
        person = User.objects.get()
        person.set_password("another password of theirs")
        factories.keep(person)
    with time_machine.travel(later):
        assert client.post(link).status_code == 200
    assert User.objects.get().email_confirmed_at is None


def test_an_empty_form_says_what_is_missing(client):
    response = client.post(SIGN_UP, {})

    assert "Error: Create an account" in response.text
    for words in ("Enter your full name", "Enter your e-mail address", "Choose a password"):
        assert words in alerts(response)


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ("short", "at least 15 characters"),
        ("123456789123456789", "too common"),
        ("amara okafor amara", "contains your name"),
    ],
)
def test_a_weak_password_is_refused_and_the_rest_is_kept(client, password, why):
    response = client.post(SIGN_UP, FILLED | {"password": password})

    assert why in alerts(response)
    assert 'value="Amara Okafor"' in response.text
    assert f'value="{password}"' not in response.text
    assert not User.objects.exists()


def test_a_name_cannot_hide_its_direction(client):
    assert "U+202E" in alerts(client.post(SIGN_UP, FILLED | {"name": "Amara \u202eroyak"}))


def test_an_old_link_says_how_to_get_a_new_one(client):
    spent = reverse("accounts:confirm_email", args=["nonsense"])
    response = client.get(spent, follow=True)

    assert client.post(spent).status_code == 410
    assert response.redirect_chain == [(reverse("accounts:sign_in"), 302)]
    assert "get a new one" in response.text


def test_a_flood_of_sign_ups_is_slowed(client, stopped_clock):
    answers = [
        client.post(SIGN_UP, FILLED | {"email": f"p{n}@example.com", "password": PASSWORD})
        for n in range(31)
    ]
    assert answers[29].status_code == 302
    assert answers[30].status_code == 429


def check_mail_after(client, email):
    client.post(SIGN_UP, FILLED | {"email": email})
    return client.get(CHECK_MAIL).text


def test_the_page_shows_the_address_and_sends_again(client, mailoutbox):
    assert "amara@example.com" in check_mail_after(client, "Amara@Example.com")
    again = client.post(CHECK_MAIL, follow=True)
    assert "We have sent the e-mail again" in again.text

    factories.settle()
    assert [mail.to for mail in mailoutbox] == [["amara@example.com"]] * 2
    assert client.post(link_in(mailoutbox[1]), follow=True).wsgi_request.user.is_authenticated


def test_sending_again_tells_nobody_who_has_an_account(client, mailoutbox):
    holder = factories.a_person()
    new, known = (
        check_mail_after(Client(), email).replace(email, "somebody")
        for email in ("new@example.com", holder.email)
    )
    assert same(new) == same(known)
    check_mail_after(client, holder.email)
    factories.settle()
    mailoutbox.clear()
    assert "We have sent the e-mail again" in client.post(CHECK_MAIL, follow=True).text
    factories.settle()
    assert {mail.to[0] for mail in mailoutbox} == {holder.email}
    assert all("sign-up/confirm" not in mail.body for mail in mailoutbox)


def test_sending_again_without_a_sign_up_sends_nothing(client, mailoutbox):
    page = client.post(CHECK_MAIL)
    factories.settle()

    assert page.status_code == 200
    assert "Send the e-mail again" not in page.text
    assert mailoutbox == []


def test_sending_again_is_limited(client):
    check_mail_after(client, "amara@example.com")
    statuses = [client.post(CHECK_MAIL).status_code for _ in range(12)]
    assert statuses[0] == 302
    assert statuses[-1] == 429


def same(page):
    """Return a page without the parts that differ in every response."""
    return re.sub(r"req_\w+|csrf\S+ value=\S+", "*", page)
