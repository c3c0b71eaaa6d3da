"""Password guessing is limited per account across addresses, and only the owner is told."""

from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from console.accounts import limits, passwords
from console.accounts.models import Throttle, User
from console.core import clock
from console.events.models import Event
from tests import factories
from tests.accounts.pages.journey import OTHER, PASSWORD, a_person_with_a_password

SIGN_IN = reverse("accounts:sign_in")
CODE = reverse("accounts:code")
CONFIRM = reverse("accounts:confirm")
TRIES = limits.PASSWORDS_PER_ACCOUNT.tries
CODES = limits.CODES_PER_ACCOUNT.tries


@pytest.fixture(autouse=True)
def _still():
    with time_machine.travel(clock.now(), tick=False):
        yield


def sign_in(email, password, *, at):
    typed = {"email": email, "password": password}
    return Client().post(SIGN_IN, typed, REMOTE_ADDR=at)


def guessed(email, times=TRIES):
    """Guess from a new address each time."""
    return [sign_in(email, "not it", at=f"10.0.0.{n}").status_code for n in range(times)]


@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
def test_an_account_takes_so_many_guesses_from_all_addresses_together(known):
    person = a_person_with_a_password()
    email = person.email if known else "nobody@example.com"

    assert set(guessed(email)) == {200}
    refused = sign_in(email, PASSWORD, at="198.51.100.1")
    assert refused.status_code == 429
    assert "That was tried too often" in refused.text


def test_one_address_alone_locks_nobody_out_elsewhere():
    person = a_person_with_a_password()
    refused = [sign_in(person.email, "not it", at="10.0.0.1").status_code for _ in range(TRIES + 5)]

    assert set(refused[limits.WRONG_PASSWORDS.tries :]) == {429}
    assert sign_in(person.email, PASSWORD, at="198.51.100.1").status_code == 302


def test_its_owner_is_told_once_a_day_and_nobody_is_told_for_an_unknown_one(mailoutbox):
    person = a_person_with_a_password()
    for email in (person.email, "nobody@example.com"):
        guessed(email, TRIES + 5)
    factories.settle()

    assert [(mail.to, mail.subject) for mail in mailoutbox] == [
        ([person.email], "Somebody may be guessing your password")
    ]


def slowly(times, *, moment, password, person):
    """Try a code after that password every five minutes; the owner signs in between."""
    for _ in range(times):
        client = Client()
        client.post(SIGN_IN, {"email": person.email, "password": password})
        client.post(CODE, {"code": "000000"})
        assert sign_in(person.email, PASSWORD, at="198.51.100.1").status_code == 302
        moment.shift(timedelta(minutes=5))


@pytest.mark.parametrize(
    ("password", "times", "told"),
    [
        ("not it", limits.WRONG_PASSWORDS_UNTOLD.tries + 6, "your password"),
        (PASSWORD, limits.WRONG_CODES_UNTOLD.tries + 3, "your one-time code"),
    ],
)
def test_its_owner_is_told_of_slow_guessing_too(mailoutbox, password, times, told):
    person = a_person_with_a_password()
    factories.an_authenticator(person)
    with time_machine.travel(clock.now(), tick=False) as moment:
        slowly(times, moment=moment, password=password, person=person)
        factories.settle()

    assert [(mail.to, mail.subject) for mail in mailoutbox] == [
        ([person.email], f"Somebody may be guessing {told}")
    ]


def test_who_never_confirmed_an_address_is_not_told_and_the_same_is_written(mailoutbox):
    person = a_person_with_a_password()
    factories.change(User.objects.filter(pk=person.pk), email_confirmed_at=None)
    guessed(person.email, TRIES + 5)
    assert Event.objects.filter(kind="person.password_guessed").count() == 1
    factories.settle()

    assert not mailoutbox


def test_the_right_password_and_a_reset_begin_the_count_anew():
    person = a_person_with_a_password()
    guessed(person.email, TRIES - 1)
    assert sign_in(person.email, PASSWORD, at="198.51.100.1").status_code == 302
    guessed(person.email, TRIES)
    person.refresh_from_db()
    passwords.reset(person.public_id, passwords.reset_token(person), OTHER)

    assert sign_in(person.email, OTHER, at="198.51.100.1").status_code == 302


def test_what_was_typed_as_an_address_is_not_kept():
    guessed("a.password.typed@in.the.wrong.box", 1)
    assert not Throttle.objects.filter(name__contains="typed").exists()


def test_codes_are_bounded_over_all_sessions(mailoutbox):
    person = a_person_with_a_password()
    factories.an_authenticator(person)
    clients = [Client(), Client()]
    for client in clients:
        client.post(SIGN_IN, {"email": person.email, "password": PASSWORD})
    answers = [clients[n % 2].post(CODE, {"code": "000000"}).status_code for n in range(CODES + 1)]
    factories.settle()

    assert answers == [200] * CODES + [429]
    assert [mail.subject for mail in mailoutbox] == ["Somebody may be guessing your one-time code"]


@pytest.mark.parametrize("typed", ["000000", "aaaa-bbbb-cccc-dddd"], ids=["code", "recovery"])
def test_confirming_it_is_you_is_bounded_too(client, typed):
    person = a_person_with_a_password()
    factories.an_authenticator(person)
    factories.signed_in(client, person)
    answers = [client.post(CONFIRM, {"code": typed}).status_code for _ in range(CODES + 1)]

    assert answers == [200] * CODES + [429]


def test_a_network_of_ipv6_counts_as_one_address(stopped_clock):
    for n in range(limits.SIGN_IN_PER_ADDRESS.tries):
        sign_in(f"p{n}@example.com", "not it", at=f"2001:db8:1:2::{n:x}")

    assert sign_in("x@example.com", "no", at="2001:db8:1:2:ffff::1").status_code == 429
    assert sign_in("x@example.com", "no", at="2001:db8:1:3::1").status_code == 200
