"""Pages to change your own name, time zone, optional e-mails and e-mail address."""

from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from apikeys.keys import key_expiry
from console.accounts.actors import SYSTEM
from console.accounts.models import OptionalMail, Session, User
from console.accounts.roles import Role
from console.core import clock
from onboarding import case_acts
from onboarding.lifecycle import ApplicationStatus, Capacity
from tests import factories
from tests.accounts.pages.journey import PASSWORD, a_person_with_a_password, alerts, link_in
from tests.apikeys import world
from tests.onboarding import answered

ACCOUNT = reverse("accounts:security")
DETAILS = reverse("accounts:change_details")
EMAIL = reverse("accounts:change_email")
OLD, NEW = "amara@example.com", "amara@kettle.example"
ALL = [str(kind) for kind in OptionalMail]


def details(**changes):
    return {"name": "Amara Okafor", "time_zone": "UTC", "wanted_mail": ALL, **changes}


def signed_in():
    return factories.signed_in(Client(), a_person_with_a_password(OLD))


def asked(client, mailoutbox, email=NEW):
    """Request a new address; return the e-mails to the new and the old address."""
    mailoutbox.clear()
    client.post(EMAIL, {"email": email})
    factories.settle()
    return {sent.to[0]: sent for sent in mailoutbox}


def test_a_new_name_is_shown_and_recorded():
    client = signed_in()
    page = client.post(DETAILS, details(name="Amara Eze"), follow=True).text

    assert "Your details are saved" in page
    assert "Amara Eze" in page
    assert "Leave the web address out" in alerts(client.post(DETAILS, details(name="evil.com")))


def test_times_are_shown_in_the_chosen_zone_and_the_page_says_which():
    client = signed_in()
    assert "Times are in UTC." in client.get(ACCOUNT).text
    client.post(DETAILS, details(time_zone="Asia/Kathmandu"))
    began = Session.objects.get().began_at + timedelta(hours=5, minutes=45)
    page = client.get(ACCOUNT).text

    assert "Times are in Asia/Kathmandu." in page
    assert f"{began:%H:%M} +0545</time>" in page
    assert "Times are in UTC." in Client().get(reverse("accounts:sign_in")).text
    assert "Select a valid choice" in alerts(client.post(DETAILS, details(time_zone="Mars/Base")))


def test_optional_mail_can_be_turned_off_and_the_rest_still_comes(client, mailoutbox):
    key, _ = world.a_key()
    owner = factories.owner_of(key.business)
    factories.signed_in(client, owner)
    wanted = [kind for kind in ALL if kind != OptionalMail.KEYS]
    client.post(DETAILS, details(name=owner.name, wanted_mail=wanted))
    key_expiry.tell_expiring(key, 7, by=SYSTEM)
    factories.settle()
    assert mailoutbox == []

    with time_machine.travel(clock.now() + timedelta(minutes=16)):
        key_expiry.drop_unconfirmed()
        factories.settle()
    assert [sent.to for sent in mailoutbox] == [[owner.email]]


def test_the_receipt_of_an_application_can_be_turned_off(client, mailoutbox):
    owner = factories.a_person()
    factories.signed_in(client, owner)
    client.post(DETAILS, details(name=owner.name, wanted_mail=[]))
    business = factories.a_business(owner=owner)
    factories.an_application(ApplicationStatus.SUBMITTED, business=business, **answered.HIGH)
    factories.settle()

    assert not [sent for sent in mailoutbox if sent.to == [owner.email]]


def test_a_new_address_counts_once_its_link_is_opened_and_confirmed(mailoutbox):
    client, elsewhere = signed_in(), Client()
    factories.signed_in(elsewhere, User.objects.get())
    sent = asked(client, mailoutbox)
    link = link_in(sent[NEW])
    assert NEW in client.get(ACCOUNT).text
    assert client.get(link).status_code == 200
    assert User.objects.get().email == OLD

    client.post(link)
    assert elsewhere.get(ACCOUNT).status_code == 302
    assert client.post(link).status_code == 410
    sign_in = reverse("accounts:sign_in")
    given = {"email": NEW, "password": PASSWORD}
    assert Client().post(sign_in, given)["Location"] == reverse("accounts:code")
    assert "do not match" in Client().post(sign_in, given | {"email": OLD}).text


def test_only_its_person_confirms_it_within_three_days(mailoutbox):
    link = link_in(asked(signed_in(), mailoutbox)[NEW])
    somebody = factories.signed_in(Client(), factories.a_person())

    assert Client().post(link)["Location"].startswith(reverse("accounts:sign_in"))
    assert "is for another account" in somebody.post(link).text
    with time_machine.travel(clock.now() + timedelta(days=3, seconds=1)):
        person = factories.signed_in(Client(), User.objects.get(email=OLD))
        assert person.post(link).status_code == 410


@pytest.mark.parametrize("confirmed", [False, True])
def test_the_old_address_can_object_before_and_after(mailoutbox, confirmed):
    thief = signed_in()
    sent = asked(thief, mailoutbox)
    if confirmed:
        thief.post(link_in(sent[NEW]))
    objection = link_in(sent[OLD])
    assert "It was not me" in Client().get(objection).text
    assert User.objects.get().email == (NEW if confirmed else OLD)

    page = Client().post(objection).text
    person = User.objects.get()
    assert "Set a new password" in page
    assert (person.email, person.has_usable_password()) == (OLD, False)
    assert thief.get(ACCOUNT).status_code == 302
    assert person.authenticators.filter(confirmed=True).exists()
    assert Client().post(objection).status_code == 410
    assert factories.signed_in(Client(), person).post(link_in(sent[NEW])).status_code == 410


def test_a_second_change_takes_the_objection_from_nobody_and_gives_the_thief_none(mailoutbox):
    thief = signed_in()
    first = asked(thief, mailoutbox)
    thief.post(link_in(first[NEW]))
    second = asked(thief, mailoutbox, "thief@elsewhere.example")
    thief.post(link_in(second["thief@elsewhere.example"]))

    assert Client().post(link_in(first[OLD])).status_code == 200
    assert Client().post(link_in(second[NEW])).status_code == 410
    assert User.objects.get().email == OLD


def test_nobody_learns_on_the_page_that_an_address_has_an_account(mailoutbox):
    factories.a_person(email=NEW)
    client = signed_in()
    page = client.post(EMAIL, {"email": NEW}, follow=True).text
    factories.settle()
    sent = {one.to[0]: one for one in mailoutbox}

    assert f"We sent a link to {NEW}" in page
    assert "You already have an account" in sent[NEW].subject
    assert set(sent) == {OLD, NEW}


def test_a_former_address_still_says_who_is_named_as_signatory(mailoutbox):
    reviewer = factories.one_of_staff(Role.COMPLIANCE)
    business = factories.a_business()
    application = factories.an_application(
        ApplicationStatus.SUBMITTED,
        business=business,
        **answered.HIGH,
        ow_signatory_email=reviewer.email,
    )
    client = factories.signed_in(Client(), reviewer)
    client.post(link_in(asked(client, mailoutbox)[NEW]))
    reviewer.refresh_from_db()

    assert reviewer.email == NEW
    named = case_acts.blockers(application, Capacity.COMPLIANCE, reviewer)
    assert [blocker.code for blocker in named] == ["named"]
