"""E-mails to other people omit old names that contain a web address."""

import re

import pytest

from apikeys.keys import key_expiry
from console.accounts import members
from console.accounts.actors import SYSTEM
from console.accounts.models import Invitation, User
from console.accounts.roles import Role
from tests import factories
from tests.apikeys import world
from tests.guards.tree import ROOT

OLD = "Claim at evil.com"
ODD = "www.evil.com/claim@attacker.org"
TO = "nomsa@example.com"
EMAILS = sorted((ROOT / "templates" / "emails").glob("*.txt"))


def invited(mailoutbox, **inviter):
    """Return the invitation sent by a person with such a name."""
    business = factories.a_business()
    owner = factories.owner_of(business)
    factories.change(User.objects.filter(pk=owner.pk), **inviter)
    members.invite(business, email=TO, role=Role.VIEWER, by=factories.owner_of(business))
    factories.settle()
    (mail,) = [one for one in mailoutbox if one.to == [TO]]
    return mail


@pytest.mark.parametrize(
    ("name", "email", "named", "sender"),
    [
        ("Amara Eze", "amara@example.com", "Amara Eze", "Amara Eze (amara@example.com)"),
        ("Amara Eze", ODD, "Amara Eze", "Amara Eze"),
        (OLD, "amara@example.com", "amara@example.com", "amara@example.com"),
        (OLD, ODD, "A colleague", "A colleague"),
    ],
)
def test_an_inviter_is_named_without_what_reads_as_a_link(mailoutbox, name, email, named, sender):
    mail = invited(mailoutbox, name=name, email=email)
    assert mail.subject == f"{named} invites you to Acme Limited"
    assert f"\n{sender} invites you to work for Acme Limited" in mail.body
    assert "evil" not in mail.body


def test_the_invitation_to_sign_holds_no_name_of_before(mailoutbox):
    business = factories.a_business(OLD)
    owner = factories.owner_of(business)
    factories.change(User.objects.filter(pk=owner.pk), name=OLD)
    invitation = members.invite_signatory(
        business, email=TO, name="Nomsa", inviter=owner, by=SYSTEM
    )
    factories.change(Invitation.objects.filter(pk=invitation.pk), name=OLD)
    factories.settle()

    (mail,) = [one for one in mailoutbox if one.to == [TO]]
    assert mail.subject == f"{owner.email} names you to sign for a business"
    assert f"Hello {TO},\n" in mail.body
    assert "the name that you sign with" in mail.body
    assert "evil" not in mail.body


def test_a_notice_holds_no_name_of_a_business_or_a_key_of_before(mailoutbox):
    key, _ = world.a_key(world.a_grant(factories.a_business(OLD)))
    key_expiry.tell_expiring(key, 7, by=SYSTEM)
    factories.settle()

    mail = mailoutbox[-1]
    assert "of your business.\n" in mail.body
    assert "evil" not in mail.subject + mail.body


def test_every_name_in_an_e_mail_is_looked_at():
    text = "".join(path.read_text() for path in EMAILS)
    names = set(re.findall(r"\{\{\s*([\w.]+\.name)\s*\}\}", text))
    assert names <= {"product.name", "list.name"}  # our own names
