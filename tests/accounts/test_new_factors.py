"""New second factors wait before they countersign, and their owner can have them removed."""

import secrets
from datetime import timedelta

import pytest
import time_machine

from console.accounts import email_changes, factors, passkeys, passwords
from console.accounts.actors import RECIPIENT
from console.accounts.models import ProviderAccount
from console.audit.models import Entry
from console.core import clock
from tests import factories
from tests.factories.passkeys import SoftKey


def set_up(person):
    """Set up an authenticator app, in place of any other; return it."""
    app = factors.begin_set_up(person, by=person)
    factors.finish_set_up(person, app.public_id, factories.a_code(app.seed), by=person)
    return factors.authenticator_of(person)


def an_old_passkey(person):
    passkey = factories.a_passkey(person)
    passkey.held_until = clock.now()
    passkey.save()
    return passkey


def waits(factor):
    left = factor.held_until - clock.now()
    return timedelta(hours=23) < left <= factors.HELD_AFTER_ADDING


def test_the_first_app_countersigns_at_once_and_one_that_replaces_it_waits():
    person = factories.a_person()
    assert set_up(person).held_until is None
    assert waits(set_up(person))


def test_an_app_waits_that_is_added_beside_a_passkey():
    person = factories.a_person()
    an_old_passkey(person)
    assert waits(set_up(person))


def test_an_app_waits_that_is_added_beside_the_provider():
    person = factories.a_person()
    ProviderAccount.objects.create(user=person, issuer="https://id.example.com", subject="ada")
    assert waits(set_up(person))


def test_a_passkey_with_too_long_an_id_is_refused():
    person, key = factories.a_person(), SoftKey()
    for length in (4000, 1024):
        key.id = secrets.token_bytes(length)
        with pytest.raises(passkeys.WrongPasskey):
            factories.a_passkey(person, key=key)
    key.id = secrets.token_bytes(1023)
    assert factories.a_passkey(person, key=key) == person.passkeys.get()


def reset(person):
    passwords.reset(person.public_id, passwords.reset_token(person), "another long passphrase")


def test_a_reset_removes_new_passkeys_alone(mailoutbox):
    person = factories.a_person()
    app = set_up(person)
    old, new = an_old_passkey(person), factories.a_passkey(person, name="Thief")
    factories.settle()
    mailoutbox.clear()

    reset(person)
    factories.settle()

    assert list(person.passkeys.all()) == [old]
    assert factors.authenticator_of(person) == app
    assert person.recovery_codes.exists()
    entry = Entry.objects.get(code="person.removed_passkey", subject_id=person.public_id)
    assert new.public_id in entry.body
    assert "A passkey was removed" in [mail.subject for mail in mailoutbox]


def test_a_reset_removes_an_app_that_replaced_another_and_the_codes_that_are_left():
    person = factories.a_person()
    set_up(person)
    set_up(person)
    reset(person)

    assert not factors.has_second_factor(person)
    assert not person.recovery_codes.exists()
    assert Entry.objects.filter(code="person.removed_authenticator").count() == 1


def test_an_objection_removes_what_was_added_since_the_day_before_the_request():
    person = factories.a_person()
    app = set_up(person)
    old, _ = an_old_passkey(person), factories.a_passkey(person)
    email_changes.ask(person, "new@kettle.example", by=person)
    token = email_changes.objection_token(person.email_changes.get())
    factories.a_passkey(person)

    with time_machine.travel(clock.now() + timedelta(days=3)):
        email_changes.object_to(token, by=RECIPIENT)

    assert list(person.passkeys.all()) == [old]
    assert factors.authenticator_of(person) == app
