"""Different spellings of one mailbox count as the same, and what an address may contain."""

import pytest
from django.urls import reverse

from console.accounts import limits, members, recipients
from console.accounts.actors import RECIPIENT
from console.accounts.forms import ForgotForm, InviteForm, SignInForm, SignUpForm
from console.accounts.mailboxes import mailbox
from console.accounts.models import Invitation
from console.accounts.recipients import Unwanted
from console.accounts.roles import Role
from console.core.refusals import TooMany
from tests import factories
from tests.accounts.pages.journey import PASSWORD, alerts

PLAIN = "some.body@gmail.com"
SPELLINGS = [
    "Some.Body@GMAIL.com", "some.body@ｇmail.com", "some.body@gmail。com", "somebody@gmail.com",
    "s.o.m.e.b.o.d.y@googlemail.com", "some.body+x@gmail.com", "somebody+a+b@ｇooglemail．com",
]  # fmt: skip
HIDDEN = ["https://evil.com/login", '"https://evil.com/login"', "www.evil.com", "WWW.evil.com"]


def invite(business, email):
    by = factories.owner_of(business)
    return members.invite(business, email=email, role=Role.VIEWER, by=by)


def test_the_spellings_of_a_mailbox_are_one():
    assert {mailbox(typed) for typed in SPELLINGS} == {mailbox(PLAIN)}


@pytest.mark.parametrize(
    ("typed", "other"),
    [
        ("some.body@example.com", "somebody@example.com"),
        ("+x@example.com", "+y@example.com"),
        ("a@example.com", "a@example.org"),
        ("a@straße.example", "a@strase.example"),
    ],
)
def test_other_mailboxes_are_others(typed, other):
    assert mailbox(typed) != mailbox(other)


def test_a_domain_that_no_server_can_be_asked_for_still_has_a_name():
    assert mailbox("A@" + "é" * 63 + ".example") == "a@" + "é" * 63 + ".example"


def test_every_spelling_counts_for_the_same_recipient():
    for n in range(limits.INVITATIONS_PER_RECIPIENT.tries):
        invite(factories.a_business(f"Business {n}"), PLAIN)
    for typed in SPELLINGS:
        with pytest.raises(TooMany):
            invite(factories.a_business("One more"), typed)


def test_public_pages_and_notices_count_every_spelling():
    typed = SPELLINGS[-1]
    business = factories.a_business()
    for _ in range(limits.NOTICES_PER_RECIPIENT.tries):
        assert recipients.counts_notice("expiring", business, PLAIN)
    assert not recipients.counts_notice("expiring", business, typed)
    for _ in range(limits.PUBLIC_MAIL_PER_RECIPIENT.tries):
        recipients.count_public(typed)
    with pytest.raises(TooMany):
        recipients.count_public(PLAIN)


def test_not_me_is_said_for_every_spelling():
    typed = SPELLINGS[-1]
    business = factories.a_business()
    offered = [invite(business, email) for email in (PLAIN, typed, "else@example.com")]
    recipients.stop(recipients.not_me_path(typed, business).split("/")[-2], by=RECIPIENT)
    recipients.stop(recipients.not_me_path(PLAIN).split("/")[-2], by=RECIPIENT)

    assert list(Invitation.objects.open()) == [offered[-1]]
    for email in (PLAIN, typed):
        with pytest.raises(Unwanted):
            invite(business, email)
        assert not recipients.takes_from_public_pages(email)


@pytest.mark.parametrize("domain", ["ｅxample.com", "example。com", "ⓔxample.com"])
def test_a_new_address_is_written_in_plain_letters(client, domain):
    typed = {"name": "Amara Okafor", "email": f"a@{domain}", "password": PASSWORD}
    said = alerts(client.post(reverse("accounts:sign_up"), typed))
    assert "plain letters" in said
    assert not InviteForm({"email": typed["email"], "role": Role.VIEWER}).is_valid()


@pytest.mark.parametrize("hidden", HIDDEN)
def test_a_new_address_is_no_link(hidden):
    email = f"{hidden}@attacker.org"
    assert not InviteForm({"email": email, "role": Role.VIEWER}).is_valid()
    assert not SignUpForm({"name": "A", "email": email, "password": PASSWORD}).is_valid()


@pytest.mark.parametrize(
    "email",
    ["john.support@example.com", "o'brien@example.com", "a+b@example.com", "wwwhite@example.com"],
)
def test_an_honest_address_is_taken(email):
    form = InviteForm({"email": email, "role": Role.VIEWER})
    assert form.is_valid(), form.errors


def test_an_old_address_still_signs_in_and_resets():
    email = "www.evil.com/claim@attacker.org"
    assert SignInForm({"email": email, "password": PASSWORD}).is_valid()
    assert ForgotForm({"email": email}).is_valid()
