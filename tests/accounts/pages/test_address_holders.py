"""An unconfirmed account holds no address against its owner; a former address is reserved."""

from datetime import timedelta

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from console.accounts import email_changes, members
from console.accounts.models import User
from console.accounts.roles import Role
from console.core import clock
from tests import factories
from tests.accounts.pages.journey import OTHER, PASSWORD, a_person_with_a_password, alerts, link_in
from tests.accounts.pages.signing_on import REFUSED, signed_in

ACCOUNT = reverse("accounts:security")
EMAIL = reverse("accounts:change_email")
SIGN_IN = reverse("accounts:sign_in")
SIGN_UP = reverse("accounts:sign_up")
OLD, NEW = "amara@example.com", "thief@elsewhere.example"
DAYS = timedelta(days=14)
STRANGER = {"name": "Mallory", "password": OTHER}
AMARA = {"name": "Amara Okafor", "password": PASSWORD}


def signs_up(email, typed):
    client = Client()
    client.post(SIGN_UP, typed | {"email": email})
    return client


def last_link(mailoutbox, email):
    factories.settle()
    return link_in([sent for sent in mailoutbox if sent.to == [email]][-1])


def asked(client, mailoutbox, email):
    """Ask for another address; return the link to confirm it, and the one to object to it."""
    client.post(EMAIL, {"email": email})
    factories.settle()
    return last_link(mailoutbox, email), last_link(mailoutbox, OLD)


def taken_over(mailoutbox):
    """Change an account's address as a thief; return their browser and the link to object."""
    thief = factories.signed_in(Client(), a_person_with_a_password(OLD), by="password")
    link, objection = asked(thief, mailoutbox, NEW)
    thief.post(link)
    assert User.objects.get().email == NEW
    return thief, objection


def may_sign_in(email, password):
    return Client().post(SIGN_IN, {"email": email, "password": password}).status_code == 302


def test_a_sign_up_that_nobody_confirms_does_not_disarm_the_objection(mailoutbox):
    thief, objection = taken_over(mailoutbox)
    signs_up(OLD, STRANGER)
    page = Client().post(objection).text

    person = User.objects.get()
    assert "Your address is safe" in page
    assert (person.email, person.has_usable_password()) == (OLD, False)
    assert thief.get(ACCOUNT).status_code == 302


def test_an_account_from_before_reservations_does_not_disarm_the_objection_either(mailoutbox):
    thief, objection = taken_over(mailoutbox)
    a_person_with_a_password(OLD, confirmed=False)
    assert "Your address is safe" in Client().post(objection).text
    assert User.objects.get().email == OLD
    assert thief.get(ACCOUNT).status_code == 302


def test_an_objection_that_cannot_restore_the_address_still_shuts_the_intruder_out(mailoutbox):
    thief, objection = taken_over(mailoutbox)
    factories.a_person(email=OLD)
    assert "switched off" in Client().post(objection).text

    person = User.objects.get(email=NEW)
    assert not person.has_usable_password()
    assert thief.get(ACCOUNT).status_code == 302
    mailoutbox.clear()
    Client().post(reverse("accounts:forgot"), {"email": NEW})
    factories.settle()
    assert mailoutbox == []


def test_a_former_address_is_reserved_while_its_owner_may_object(mailoutbox):
    """By signing up, by changing to it, and by both again after the time."""
    _thief, objection = taken_over(mailoutbox)
    other = factories.signed_in(Client(), factories.a_person())
    mailoutbox.clear()
    signs_up(OLD, STRANGER)
    other.post(EMAIL, {"email": OLD})
    factories.settle()

    told = [sent.subject for sent in mailoutbox if sent.to == [OLD]]
    assert told == ["This e-mail address is reserved"] * 2
    assert not User.objects.filter(email=OLD).exists()
    with time_machine.travel(clock.now() + DAYS - timedelta(minutes=1)):
        assert Client().get(objection).status_code == 200
    with time_machine.travel(clock.now() + DAYS + timedelta(minutes=1)):
        assert Client().get(objection).status_code == 410
        client = signs_up(OLD, STRANGER)
        client.post(last_link(mailoutbox, OLD))
        assert client.get(ACCOUNT).status_code == 200


def test_a_link_to_an_address_that_became_reserved_is_refused(mailoutbox):
    person = factories.signed_in(Client(), a_person_with_a_password(OLD))
    somebody = factories.a_person()
    other = factories.signed_in(Client(), somebody)
    other.post(EMAIL, {"email": OLD})
    token = email_changes.confirmation_token(somebody.email_changes.get())
    person.post(asked(person, mailoutbox, NEW)[0])

    assert "until recently" in other.post(reverse("accounts:confirm_new_email", args=[token])).text
    assert User.objects.filter(email=OLD).count() == 0


def test_its_own_owner_comes_back_to_a_reserved_address(mailoutbox):
    person = factories.signed_in(Client(), a_person_with_a_password(OLD))
    person.post(asked(person, mailoutbox, NEW)[0])
    mailoutbox.clear()
    person.post(EMAIL, {"email": OLD})
    person.post(last_link(mailoutbox, OLD))
    assert User.objects.get().email == OLD


def test_an_unconfirmed_account_blocks_no_change_of_address(mailoutbox):
    signs_up(NEW, STRANGER)
    person = factories.signed_in(Client(), a_person_with_a_password(OLD))
    link, _ = asked(person, mailoutbox, NEW)
    stranger = next(sent for sent in mailoutbox if sent.to == [NEW])
    assert "Your address is changed" in person.post(link, follow=True).text

    assert [one.email for one in User.objects.all()] == [NEW]
    assert Client().post(link_in(stranger), {"code": OTHER}).status_code == 410


def test_whoever_signs_up_after_a_stranger_gets_the_account_with_their_name_and_password(
    mailoutbox,
):
    stranger = signs_up(OLD, STRANGER)
    owner = signs_up(OLD, AMARA)
    link = last_link(mailoutbox, OLD)
    assert "Your e-mail address is confirmed" in owner.post(link, follow=True).text

    assert User.objects.get().name == "Amara Okafor"
    assert may_sign_in(OLD, PASSWORD)
    assert not may_sign_in(OLD, OTHER)
    assert stranger.get(ACCOUNT).status_code == 302


def test_whoever_signs_up_again_confirms_nothing_in_the_name_of_the_first(mailoutbox):
    owner = signs_up(OLD, AMARA)
    link = last_link(mailoutbox, OLD)
    signs_up(OLD, STRANGER)

    assert "not the password" in alerts(owner.post(link, {"code": PASSWORD}))
    assert User.objects.get().email_confirmed_at is None
    Client().post(reverse("accounts:forgot"), {"email": OLD})
    Client().post(last_link(mailoutbox, OLD), {"password": "purple monkey piano staircase"})
    assert may_sign_in(OLD, "purple monkey piano staircase")
    assert not may_sign_in(OLD, OTHER)


def test_an_invitation_reaches_its_address_past_an_unconfirmed_account(mailoutbox):
    signs_up(OLD, STRANGER)
    business = factories.a_business()
    members.invite(business, email=OLD, role=Role.VIEWER, by=factories.owner_of(business))
    owner = signs_up(OLD, AMARA)
    confirmed = [link for link in links_to(mailoutbox, OLD) if "/confirm" in link][-1]
    onward = owner.post(confirmed, follow=True)
    assert "Acme Limited" in onward.text
    assert User.objects.get(email=OLD).email_confirmed_at


def links_to(mailoutbox, email):
    factories.settle()
    return [link_in(sent) for sent in mailoutbox if sent.to == [email]]


def test_the_provider_gives_nobody_a_reserved_address(client, provider, mailoutbox):
    person = factories.signed_in(Client(), a_person_with_a_password("ada@example.com"))
    person.post(EMAIL, {"email": NEW})
    person.post(last_link(mailoutbox, NEW))
    assert "until recently" in signed_in(client, provider).text
    assert not User.objects.filter(email="ada@example.com").exists()
    with time_machine.travel(clock.now() + DAYS + timedelta(minutes=1)):
        assert REFUSED not in signed_in(Client(), provider).text


def test_the_command_gives_an_unconfirmed_account_nothing():
    signs_up(OLD, STRANGER)
    with pytest.raises(CommandError, match="confirmed it"):
        call_command("staff", "give", OLD, "legal", "--because", "She joined.")


def test_the_old_address_is_told_although_the_new_one_was_confirmed_first(mailoutbox):
    person = a_person_with_a_password(OLD)
    email_changes.ask(person, NEW, by=person)
    change = person.email_changes.get()
    email_changes.confirm(email_changes.confirmation_token(change), by=person, keep_session="")
    assert "Your address is safe" in Client().post(last_link(mailoutbox, OLD)).text
