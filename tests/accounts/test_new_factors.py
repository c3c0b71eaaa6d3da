"""New second factors wait before they countersign, and their owner can have them removed."""

from datetime import timedelta

from console.accounts import factors
from console.accounts.models import ProviderAccount
from console.core import clock
from tests import factories


def set_up(person):
    """Set up an authenticator app, in place of any other; return it."""
    app = factors.begin_set_up(person, by=person)
    factors.finish_set_up(person, app.public_id, factories.a_code(app.seed), by=person)
    return factors.authenticator_of(person)


def waits(factor):
    left = factor.held_until - clock.now()
    return timedelta(hours=23) < left <= factors.HELD_AFTER_ADDING


def test_the_first_app_countersigns_at_once_and_one_that_replaces_it_waits():
    person = factories.a_person()
    assert set_up(person).held_until is None
    assert waits(set_up(person))


def test_an_app_waits_that_is_added_beside_a_passkey():
    person = factories.a_person()
    passkey = factories.a_passkey(person)
    passkey.held_until = clock.now()
    passkey.save()
    assert waits(set_up(person))


def test_an_app_waits_that_is_added_beside_the_provider():
    person = factories.a_person()
    ProviderAccount.objects.create(user=person, issuer="https://id.example.com", subject="ada")
    assert waits(set_up(person))
