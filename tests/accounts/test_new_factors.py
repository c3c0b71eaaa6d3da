"""New second factors wait before they countersign, and their owner can have them removed."""

import secrets
from datetime import timedelta

import pytest
import time_machine

from console.accounts import email_changes, factors, passkeys, passwords, provider_accounts
from console.accounts.actors import RECIPIENT, SYSTEM
from console.accounts.models import ProviderAccount
from console.accounts.provider_accounts import ProviderIdentity, SignOnRefused
from console.accounts.roles import Role
from console.audit import log as audit
from console.audit.models import Entry
from console.core import clock
from tests import factories
from tests.factories.passkeys import SoftKey


def set_up(person):
    """Set up an authenticator app, in place of any other; return it."""
    app = factors.begin_set_up(person, by=person)
    factors.finish_set_up(person, app.public_id, factories.a_code(app.seed), by=person)
    return factors.authenticator_of(person)


LONG_AGO = timedelta(days=2)


def an_old_passkey(person):
    with time_machine.travel(clock.now() - LONG_AGO):
        return factories.a_passkey(person)


def an_old_app(person):
    with time_machine.travel(clock.now() - LONG_AGO):
        return set_up(person)


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
    audit.record("person.linked_provider", person, by=SYSTEM)
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
    app = an_old_app(person)
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


def unlink(person):
    ProviderAccount.objects.create(user=person, issuer="https://id.example.com", subject="ada")
    provider_accounts.unlink(person, by=SYSTEM, because="Somebody else signed in there.")


def object_later(person):
    email_changes.ask(person, "new@kettle.example", by=person)
    token = email_changes.objection_token(person.email_changes.get())
    with time_machine.travel(clock.now() + timedelta(days=3)):
        email_changes.object_to(token, by=RECIPIENT)


WAYS = pytest.mark.parametrize("way", [reset, unlink, object_later])


@WAYS
@pytest.mark.parametrize("apps", [1, 2], ids=["the first", "one that replaced another"])
def test_a_new_app_goes_with_the_codes_that_are_left(way, apps):
    person = factories.a_person()
    for _ in range(apps):
        set_up(person)
    way(person)

    assert not factors.has_second_factor(person)
    assert not person.recovery_codes.exists()
    assert Entry.objects.filter(code="person.removed_authenticator").count() == 1


@WAYS
def test_an_app_goes_that_was_begun_before_the_day_and_confirmed_in_it(way):
    person = factories.a_person()
    with time_machine.travel(clock.now() - timedelta(hours=24, minutes=5), tick=False) as time:
        app = factors.begin_set_up(person, by=person)
        time.shift(timedelta(minutes=10))
        factors.finish_set_up(person, app.public_id, factories.a_code(app.seed), by=person)
    way(person)

    assert not factors.has_second_factor(person)


@WAYS
def test_new_codes_and_an_app_that_is_being_set_up_go_and_what_is_old_stays(way):
    person = factories.a_person()
    app, passkey = an_old_app(person), an_old_passkey(person)
    factors.renew_recovery_codes(person, by=person)
    begun = factors.begin_set_up(person, by=person)
    way(person)

    assert factors.authenticator_of(person) == app
    assert list(person.passkeys.all()) == [passkey]
    assert not person.recovery_codes.exists()
    assert factors.being_set_up(person, begun.public_id) is None


@WAYS
def test_old_codes_stay_with_the_old_app(way):
    person = factories.a_person()
    an_old_app(person)
    way(person)

    assert person.recovery_codes.count() == factors.RECOVERY_CODES


def test_an_objection_removes_what_was_added_since_the_day_before_the_request():
    person = factories.a_person()
    app = an_old_app(person)
    old, _ = an_old_passkey(person), factories.a_passkey(person)
    email_changes.ask(person, "new@kettle.example", by=person)
    token = email_changes.objection_token(person.email_changes.get())
    factories.a_passkey(person)

    with time_machine.travel(clock.now() + timedelta(days=3)):
        email_changes.object_to(token, by=RECIPIENT)

    assert list(person.passkeys.all()) == [old]
    assert factors.authenticator_of(person) == app


def test_an_objection_unlinks_a_provider_account_that_the_new_address_led_to():
    person = factories.one_of_staff(Role.LEGAL)
    email_changes.ask(person, "thief@staff.example", by=person)
    change = person.email_changes.get()
    email_changes.confirm(email_changes.confirmation_token(change), by=person, keep_session="")
    thief = ProviderIdentity(
        "https://id.example.com", "thief", "thief@staff.example", "Thief", frozenset()
    )
    assert provider_accounts.account_for(thief).user == person
    email_changes.object_to(email_changes.objection_token(change), by=RECIPIENT)

    assert not ProviderAccount.objects.exists()
    with pytest.raises(SignOnRefused):
        provider_accounts.account_for(thief)
