"""Sign-up, confirmation and passwords do not reveal who has an account."""

from datetime import timedelta

import pytest
import time_machine

from console.accounts import passwords, signup
from console.accounts.models import User
from console.audit.models import Entry
from console.core import clock
from console.core.refusals import NotAllowed
from tests import factories

PASSWORD = "correct horse battery staple"


def a_new_person():
    signup.sign_up(email="Amara@Example.com ", name="Amara Okafor", password=PASSWORD)
    return User.objects.get(email="amara@example.com")


def test_it_makes_a_person_who_must_confirm(mailoutbox):
    person = a_new_person()
    factories.settle()

    assert person.email_confirmed_at is None
    assert person.check_password(PASSWORD)
    assert PASSWORD not in person.password
    (mail,) = mailoutbox
    assert mail.to == ["amara@example.com"]
    assert signup.confirmation_token(person).split(":")[0] in mail.body


def test_confirming_twice_is_confirming_once():
    person = a_new_person()
    token = signup.confirmation_token(person)
    first = signup.confirm(token, by=person)
    assert signup.confirm(token, by=person).email_confirmed_at == first.email_confirmed_at
    assert Entry.objects.filter(code="person.confirmed_email").count() == 1


@pytest.mark.parametrize("token", ["", "x", "a:b:c"])
def test_a_link_that_is_not_ours_is_refused(token):
    with pytest.raises(signup.LinkSpent):
        signup.confirm(token, by=factories.a_person())


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
    signup.sign_up(email="amara@example.com", name="Mallory", password="something else entirely")
    factories.settle()

    person.refresh_from_db()
    assert (person.name, person.check_password(PASSWORD)) == ("Amara Okafor", True)
    assert User.objects.count() == 1
    assert [mail.to for mail in mailoutbox] == [["amara@example.com"]] * 2


def test_a_reset_sets_the_password_once():
    person = a_new_person()
    passwords.ask_for_reset("amara@example.com")
    token = passwords.reset_token(person)

    passwords.reset(person.public_id, token, "another long passphrase")

    person.refresh_from_db()
    assert person.check_password("another long passphrase")
    assert person.email_confirmed_at
    with pytest.raises(signup.LinkSpent):
        passwords.reset(person.public_id, token, "a third long passphrase")


def test_a_reset_of_an_unknown_address_does_nothing_visible(mailoutbox):
    passwords.ask_for_reset("nobody@example.com")
    factories.settle()
    assert mailoutbox == []


def test_a_reset_keeps_the_second_factor_and_ends_the_sessions(client):
    person = factories.a_person()
    factories.an_authenticator(person)
    factories.signed_in(client, person)
    passwords.reset(person.public_id, passwords.reset_token(person), PASSWORD)

    assert person.authenticators.filter(confirmed=True).exists()
    assert client.get("/account/").status_code == 302
