"""Two connections that want one address at the same time: one gets it, and neither fails."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from console.accounts import email_changes, passwords, provider_accounts, signup
from console.accounts.actors import RECIPIENT
from console.accounts.models import User
from console.accounts.provider_accounts import ProviderIdentity
from console.core.refusals import Refused
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)
ADDRESS, OTHER = "amara@example.com", "amara@kettle.example"
BLOCKED = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"


def meanwhile(first, second):
    """Do the second in another connection before the first is committed; return its refusal."""

    def elsewhere():
        try:
            second()
        except Refused as refusal:
            return type(refusal)
        finally:
            connection.close()
        return None

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            first()
            going, tries = pool.submit(elsewhere), 0
            while not (going.done() or is_blocked() or tries > 100):
                time.sleep(0.05)
                tries += 1
        return going.result()


def is_blocked():
    with connection.cursor() as cursor:
        cursor.execute(BLOCKED)
        return bool(cursor.fetchone()[0])


def sign_up(password="correct horse battery staple"):
    return signup.sign_up(email=ADDRESS, name="Amara Okafor", password=password)


def the_owner():
    """Return a change to the address by its owner: to make it, when called."""
    person = factories.a_person(email=OTHER)
    email_changes.ask(person, ADDRESS, by=person)
    token = email_changes.confirmation_token(person.email_changes.get())
    return lambda: email_changes.confirm(token, by=person, keep_session="")


def the_stranger():
    """Return the confirmation of an account with the address: to make it, when called."""
    person = sign_up()
    token = signup.confirmation_token(person)
    return lambda: signup.confirm(token, by=person)


def the_objection():
    """Return the objection of the address's owner to a change that was made."""
    person = factories.a_person(email=ADDRESS)
    email_changes.ask(person, OTHER, by=person)
    change = person.email_changes.get()
    email_changes.confirm(email_changes.confirmation_token(change), by=person, keep_session="")
    token = email_changes.objection_token(change)
    return lambda: email_changes.object_to(token, by=RECIPIENT)


def the_colleague(settings):
    settings.OIDC_ROLE_GROUPS = [("lawyers", "legal")]
    who = ProviderIdentity(
        "https://id.example.com", "ada", ADDRESS, "Amara Okafor", frozenset({"lawyers"})
    )
    return lambda: provider_accounts.account_for(who)


def the_reset():
    person = sign_up()
    token = passwords.reset_token(person)
    return lambda: passwords.reset(person.public_id, token, "purple monkey dishwasher lamp")


def holders():
    return list(User.objects.filter(email=ADDRESS))


def test_two_sign_ups_make_one_account():
    assert meanwhile(sign_up, lambda: sign_up("purple monkey dishwasher lamp")) is None
    (person,) = holders()
    assert person.check_password("purple monkey dishwasher lamp")


@pytest.mark.parametrize("is_first", [True, False])
def test_who_confirms_the_address_gets_it_before_whoever_signs_up(is_first):
    ways = [the_owner(), sign_up]
    assert meanwhile(*(ways if is_first else ways[::-1])) is None
    assert [one.email_confirmed_at is not None for one in holders()] == [True]


@pytest.mark.parametrize("is_first", [True, False])
def test_a_sign_up_while_the_first_one_is_confirmed_changes_nothing(is_first):
    ways = [the_stranger(), lambda: sign_up("purple monkey dishwasher lamp")]
    refusal = meanwhile(*(ways if is_first else ways[::-1]))
    (person,) = holders()
    assert (refusal is None) == (person.email_confirmed_at is not None) == is_first
    assert person.check_password("purple monkey dishwasher lamp") != is_first


@pytest.mark.parametrize("other", [the_stranger, the_reset])
@pytest.mark.parametrize("is_first", [True, False])
def test_of_two_who_confirm_the_address_the_first_gets_it(other, is_first):
    ways = [the_owner(), other()]
    refusal = meanwhile(*(ways if is_first else ways[::-1]))
    assert issubclass(refusal, Refused)
    assert len(holders()) == 1


@pytest.mark.parametrize("is_first", [True, False])
def test_of_a_change_and_the_first_sign_on_of_a_colleague_the_first_gets_it(settings, is_first):
    ways = [the_owner(), the_colleague(settings)]
    assert issubclass(meanwhile(*(ways if is_first else ways[::-1])), Refused)
    assert len(holders()) == 1


@pytest.mark.parametrize("is_first", [True, False])
def test_an_objection_restores_the_address_while_somebody_signs_up_with_it(is_first):
    ways = [the_objection(), sign_up]
    assert meanwhile(*(ways if is_first else ways[::-1])) is None
    assert [one.email_confirmed_at is not None for one in holders()] == [True]
