"""Sign-up, confirmation and passwords do not reveal who has an account."""

from datetime import timedelta

import pytest
import time_machine

from console.accounts import signup
from console.accounts.models import User
from console.audit.models import Entry
from console.core import clock
from console.core.refusals import NotAllowed
from tests import factories

PASSWORD = "correct horse battery staple"


def a_new_person():
    signup.sign_up(email="Amara@Example.com ", name="Amara Okafor", password=PASSWORD)
    return User.objects.get(email="amara@example.com")


def test_confirming_twice_is_confirming_once():
    person = a_new_person()
    token = signup.confirmation_token(person)
    first = signup.confirm(token, by=person)
    assert signup.confirm(token, by=person).email_confirmed_at == first.email_confirmed_at
    assert Entry.objects.filter(code="person.confirmed_email").count() == 1


def test_a_password_that_was_replaced_meanwhile_confirms_nothing():
    person = a_new_person()
    token = signup.confirmation_token(person)
    signup.sign_up(email="amara@example.com", name="Mallory", password="something else entirely")
    with pytest.raises(signup.LinkSpent):
        signup.confirm(token, by=person)
    person.refresh_from_db()
    assert person.email_confirmed_at is None


def test_nobody_confirms_the_address_of_another_account():
    person = a_new_person()
    with pytest.raises(NotAllowed):
        signup.confirm(signup.confirmation_token(person), by=factories.a_person())
    person.refresh_from_db()
    assert person.email_confirmed_at is None


def test_an_old_link_is_refused():
    person = a_new_person()
    token = signup.confirmation_token(person)
    with time_machine.travel(clock.now() + timedelta(days=4)), pytest.raises(signup.LinkSpent):
        signup.confirm(token, by=person)


def test_a_known_address_gets_an_email_and_keeps_its_password(mailoutbox):
    person = a_new_person()
    signup.confirm(signup.confirmation_token(person), by=person)
    signup.sign_up(email="amara@example.com", name="Mallory", password="something else entirely")
    factories.settle()

    person.refresh_from_db()
    assert (person.name, person.check_password(PASSWORD)) == ("Amara Okafor", True)
    assert User.objects.count() == 1
    assert [(mail.to, mail.subject) for mail in mailoutbox] == [
        (["amara@example.com"], "Confirm your e-mail address"),
        (["amara@example.com"], "You already have an account"),
    ]
