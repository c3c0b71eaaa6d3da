"""We are no open relay: limits, no web addresses in texts for others, and “This is not me”."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from console.accounts import limits, members, recipients
from console.accounts.actors import RECIPIENT, SYSTEM
from console.accounts.models import Invitation, StoppedMail
from console.accounts.roles import Role
from console.audit.models import Entry
from console.core.refusals import Refused, TooMany
from tests import factories
from tests.accounts.pages.journey import PASSWORD, a_person_with_a_password, alerts

TO = "invited@example.com"


def invite(business, email=TO, by=None):
    return members.invite(
        business, email=email, role=Role.VIEWER, by=by or factories.owner_of(business)
    )


def test_names_that_strangers_type_hold_no_web_address(client):
    typed = {"name": "Win at evil.com", "email": TO, "password": PASSWORD}
    assert "Leave the web address out" in alerts(client.post(reverse("accounts:sign_up"), typed))
    factories.signed_in(client, factories.a_person())
    answer = client.post(reverse("accounts:business_new"), {"name": "https://evil"})
    assert "Leave the web address out" in alerts(answer)
    business = factories.a_business()
    with pytest.raises(Refused, match="holds a web address"):
        members.invite_signatory(
            business, email=TO, name="evil.com", inviter=factories.owner_of(business), by=SYSTEM
        )


def test_one_address_gets_so_many_invitations_a_day_from_all_businesses():
    for n in range(limits.INVITATIONS_PER_RECIPIENT.tries):
        invite(factories.a_business(f"Business {n}"))
    with pytest.raises(TooMany):
        invite(factories.a_business("One more"))


def test_one_sender_sends_so_many_invitations_a_day():
    owner = factories.a_person()
    first = factories.a_business("First", owner=owner)
    second = factories.a_business("Second", owner=owner)
    for n in range(limits.INVITATIONS_PER_SENDER.tries):
        invite((first, second)[n % 2], f"p{n}@example.com", by=owner)
    with pytest.raises(TooMany):
        invite(first, by=owner)


def test_one_business_sends_so_many_invitations_a_day_whoever_sends_them():
    business = factories.a_business()
    each = limits.INVITATIONS_PER_SENDER.tries
    senders = [factories.a_member(business, Role.ADMINISTRATOR) for _ in range(3)]
    for n in range(limits.INVITATIONS_PER_BUSINESS.tries):
        invite(business, f"p{n}@example.com", by=senders[n // each])
    with pytest.raises(TooMany):
        invite(business, by=senders[-1])


@pytest.mark.usefixtures("stopped_clock")
def test_notices_are_counted_for_whom_they_go_to_and_for_each_business():
    first, second = factories.a_business("First"), factories.a_business("Second")
    for n in range(limits.NOTICES_PER_BUSINESS.tries):
        assert recipients.counts_notice("expiring", first, f"p{n}@example.com")
    assert not recipients.counts_notice("expiring", first, TO)
    # E-mails refused by the business's own limit do not count for the address.
    for _ in range(limits.NOTICES_PER_RECIPIENT.tries):
        assert recipients.counts_notice("expiring", second, TO)
    assert not recipients.counts_notice("expiring", second, TO)


def test_one_address_gets_so_much_from_our_public_pages():
    email = a_person_with_a_password().email
    typed = {"name": "Amara Okafor", "password": PASSWORD, "email": email}
    answers = [
        Client().post(reverse("accounts:sign_up"), typed, REMOTE_ADDR=f"10.0.0.{n}").status_code
        for n in range(limits.PUBLIC_MAIL_PER_RECIPIENT.tries + 1)
    ]

    assert answers[-1] == 429
    assert 429 not in answers[:-1]


def not_me(mail):
    found = re.search(r"https?://[^/]+(/not-me/\S+)", mail.body)
    assert found, mail.body
    return found[1]


def test_not_me_stops_one_business_and_tells_the_operators(client, mailoutbox):
    acme, other = factories.a_business("Acme Limited"), factories.a_business("Other Limited")
    invite(acme)
    factories.settle()
    link = not_me(mailoutbox[-1])

    assert "Acme" not in client.get(link).text
    assert not StoppedMail.objects.exists()
    for _ in range(2):
        assert "No more e-mail" in client.post(link).text
    assert StoppedMail.objects.count() == 1
    sent = Invitation.objects.count()
    with pytest.raises(Refused, match="does not want"):
        invite(acme)
    assert Invitation.objects.count() == sent
    invite(other)
    [entry] = Entry.objects.filter(code="mail.stopped")
    assert (entry.actor_name, entry.business_id) == ("A recipient", acme.public_id)

    factories.signed_in(client, factories.one_of_staff(Role.OPERATOR))
    page = client.get(reverse("governance:work")).text
    assert "stopped e-mails from Acme Limited within a week" in page


def test_not_me_withdraws_what_that_business_offers_the_address():
    acme, other = factories.a_business("Acme Limited"), factories.a_business("Other Limited")
    offered = [invite(acme), invite(acme, "else@example.com"), invite(other)]
    recipients.stop(recipients.not_me_path(TO, acme).split("/")[-2], by=RECIPIENT)
    recipients.stop(recipients.not_me_path(TO, acme).split("/")[-2], by=RECIPIENT)

    assert list(Invitation.objects.open().order_by("pk")) == offered[1:]
    [entry] = Entry.objects.filter(code="member.invitation_withdrawn")
    assert (entry.actor_name, entry.subject_id) == ("A recipient", offered[0].public_id)


def test_not_me_stops_what_a_form_without_an_account_causes(client, mailoutbox):
    typed = {"name": "Amara Okafor", "email": TO, "password": PASSWORD}
    client.post(reverse("accounts:sign_up"), typed)
    factories.settle()
    client.post(not_me(mailoutbox[-1]))
    client.post(reverse("accounts:sign_up"), typed)
    client.post(reverse("accounts:forgot"), {"email": TO})
    factories.settle()

    assert len(mailoutbox) == 1


def test_a_forged_link_stops_nothing(client):
    path = recipients.not_me_path(TO)
    assert client.post(path[:-3] + "xx/").status_code == 410
    assert not StoppedMail.objects.exists()
