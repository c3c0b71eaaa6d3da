"""The pages for forgotten and changed passwords."""

from datetime import timedelta

import time_machine
from django.test import Client
from django.urls import reverse

from console.accounts import limits, passwords
from console.accounts.models import User
from console.audit.models import Entry
from console.core import clock
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


def test_a_forgotten_password_is_set_anew_by_link_which_confirms_the_address(client, mailoutbox):
    a_person_with_a_password(confirmed=False)
    client.post(FORGOT, {"email": "amara@example.com"})
    factories.settle()
    link = link_in(mailoutbox[0])

    assert "For amara@example.com" in client.get(link).text
    page = client.post(link, {"password": OTHER}, follow=True).text
    assert "Your new password is set" in page
    assert User.objects.get().check_password(OTHER)
    assert User.objects.get().email_confirmed_at
    assert client.get(link).status_code == 410


def test_whoever_sends_the_form_of_a_spent_link_is_led_to_a_new_one_and_not_back(mailoutbox):
    a_person_with_a_password()
    first, second = Client(), Client()
    first.post(FORGOT, {"email": "amara@example.com"})
    factories.settle()
    link = link_in(mailoutbox[0])
    for browser in (first, second):
        browser.get(link)
    first.post(link, {"password": OTHER})

    refused = second.post(link, {"password": OTHER}, headers={"Referer": link})
    page = refused.text
    assert refused.status_code == 410
    assert page.count("Ask for a new one") == 1
    assert "Go back" not in page
    assert FORGOT in page


def test_a_link_that_was_altered_opens_nothing(client):
    person = a_person_with_a_password()
    response = client.get(reverse("accounts:reset", args=[person.public_id, "abc-def"]))

    assert response.status_code == 410
    page = response.text
    assert f'href="{reverse("accounts:forgot")}"' in page


def test_changing_it_takes_the_old_one_and_ends_other_sessions(client):
    person = a_person_with_a_password()
    factories.signed_in(client, person)
    elsewhere = factories.signed_in(Client(), person)
    response = client.post(CHANGE, {"current": PASSWORD, "password": OTHER}, follow=True)

    assert "Your password is changed" in response.text
    assert elsewhere.get(reverse("accounts:security")).status_code == 302
    assert client.get(reverse("accounts:security")).status_code == 200


def test_a_wrong_old_password_changes_nothing(client):
    person = a_person_with_a_password()
    factories.signed_in(client, person)
    response = client.post(CHANGE, {"current": "something else", "password": OTHER})

    assert "not your current password" in alerts(response)
    person.refresh_from_db()
    assert person.check_password(PASSWORD)


def test_the_person_is_told(client, mailoutbox):
    person = a_person_with_a_password()
    factories.signed_in(client, person)
    client.post(CHANGE, {"current": PASSWORD, "password": OTHER})
    factories.settle()

    assert mailoutbox[-1].subject == "Your password was changed"


def ask(email="amara@example.com", at="10.0.0.1"):
    answer = Client().post(FORGOT, {"email": email}, REMOTE_ADDR=at)
    assert answer.status_code == 200
    factories.settle()


def test_whoever_else_asks_never_keeps_the_owner_from_a_link_that_works(mailoutbox):
    a_person_with_a_password()
    for n in range(30):
        with time_machine.travel(clock.now() + timedelta(minutes=7 * n), tick=False):
            ask(at=f"10.0.0.{n}")
            assert Client().get(link_in(mailoutbox[-1])).status_code == 200

    assert len(mailoutbox) <= 1 + 30 * 7 * 60 / limits.RESETS_PER_RECIPIENT.seconds


def test_other_mail_to_an_address_leaves_its_reset_alone(client, mailoutbox):
    person = a_person_with_a_password()
    typed = {"name": "Amara Okafor", "email": person.email, "password": PASSWORD}
    for n in range(limits.PUBLIC_MAIL_PER_RECIPIENT.tries + 1):
        client.post(reverse("accounts:sign_up"), typed, REMOTE_ADDR=f"10.0.1.{n}")
    ask("amara+x@example.com")
    factories.settle()
    mailoutbox.clear()
    ask()

    assert [mail.subject for mail in mailoutbox] == ["Set a new password"]


def test_asking_again_at_once_writes_the_same_and_sends_nothing(mailoutbox):
    a_person_with_a_password()
    written = []
    for email in ("amara@example.com", "amara@example.com", "nobody@example.com"):
        before = Entry.objects.count()
        ask(email)
        written.append(Entry.objects.count() - before)

    assert written == [1, 1, 1]
    assert len(mailoutbox) == 1


def test_after_a_reset_the_next_one_is_sent_at_once(mailoutbox):
    person = a_person_with_a_password()
    ask()
    passwords.reset(person.public_id, passwords.reset_token(person), OTHER)
    mailoutbox.clear()
    ask()

    assert "Set a new password" in [mail.subject for mail in mailoutbox]


def test_after_a_sign_in_the_next_one_is_sent_at_once(client, mailoutbox):
    person = a_person_with_a_password()
    ask()
    spent = link_in(mailoutbox[-1])
    client.post(reverse("accounts:sign_in"), {"email": person.email, "password": PASSWORD})
    assert "_auth_user_id" in client.session
    assert Client().get(spent).status_code == 410
    ask()

    assert len(mailoutbox) == 2
    assert Client().get(link_in(mailoutbox[-1])).status_code == 200


def test_the_right_password_alone_frees_no_link_of_who_has_an_authenticator(client, mailoutbox):
    person = a_person_with_a_password()
    factories.an_authenticator(person)
    ask()
    mailoutbox.clear()
    client.post(reverse("accounts:sign_in"), {"email": person.email, "password": PASSWORD})
    ask()

    assert mailoutbox == []


def test_accounts_that_nobody_confirmed_make_no_more_mail_of_resets(mailoutbox):
    most = limits.PUBLIC_MAIL_PER_RECIPIENT.tries
    for n in range(most + 1):
        person = factories.a_person(email=f"victim+{n}@example.com")
        factories.change(User.objects.filter(pk=person.pk), email_confirmed_at=None)
        ask(person.email)

    assert len(mailoutbox) == most
