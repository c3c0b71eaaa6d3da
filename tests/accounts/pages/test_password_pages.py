"""Forgotten and changed passwords, by the pages."""

from django.test import Client
from django.urls import reverse

from console.accounts.models import User
from tests import factories
from tests.accounts.pages.journey import (
    OTHER,
    PASSWORD,
    a_person_with_a_password,
    alerts,
    link_in,
)

FORGOT = reverse("accounts:forgot")
CHANGE = reverse("accounts:change_password")


def test_a_forgotten_password_is_set_anew_by_link(client, mailoutbox):
    a_person_with_a_password()
    client.post(FORGOT, {"email": "amara@example.com"})
    factories.settle()
    link = link_in(mailoutbox[0])

    assert "For amara@example.com" in client.get(link).content.decode()
    page = client.post(link, {"password": OTHER}, follow=True).content.decode()
    assert "Your new password is set" in page
    assert User.objects.get().check_password(OTHER)
    assert client.get(link).status_code == 409


def test_a_known_and_an_unknown_address_read_the_same(client):
    a_person_with_a_password()
    known = client.post(FORGOT, {"email": "amara@example.com"})
    unknown = client.post(FORGOT, {"email": "nobody@example.com"})

    assert known.status_code == unknown.status_code == 200
    assert known.content.split(b"<main")[1] == unknown.content.split(b"<main")[1]


def test_a_reset_does_not_take_the_app_away(client, mailoutbox):
    person = a_person_with_a_password()
    factories.an_authenticator(person)
    client.post(FORGOT, {"email": person.email})
    factories.settle()
    client.post(link_in(mailoutbox[0]), {"password": OTHER})
    response = client.post(reverse("accounts:sign_in"), {"email": person.email, "password": OTHER})

    assert response.url == reverse("accounts:code")


def test_a_link_that_was_altered_opens_nothing(client):
    person = a_person_with_a_password()
    response = client.get(reverse("accounts:reset", args=[person.public_id, "abc-def"]))

    assert response.status_code == 409
    assert "Ask for a new one" in response.content.decode()


def test_changing_it_takes_the_old_one_and_ends_other_sessions(client):
    person = a_person_with_a_password()
    factories.signed_in(client, person)
    elsewhere = factories.signed_in(Client(), person)
    response = client.post(CHANGE, {"current": PASSWORD, "password": OTHER}, follow=True)

    assert "Your password is changed" in response.content.decode()
    assert elsewhere.get(reverse("accounts:security")).status_code == 302
    assert client.get(reverse("accounts:security")).status_code == 200


def test_a_wrong_old_password_changes_nothing(client):
    person = a_person_with_a_password()
    factories.signed_in(client, person)
    response = client.post(CHANGE, {"current": "something else", "password": OTHER})

    assert "not your password now" in alerts(response)
    person.refresh_from_db()
    assert person.check_password(PASSWORD)


def test_the_person_is_told(client, mailoutbox):
    person = a_person_with_a_password()
    factories.signed_in(client, person)
    client.post(CHANGE, {"current": PASSWORD, "password": OTHER})
    factories.settle()

    assert mailoutbox[-1].subject == "Your password was changed"
