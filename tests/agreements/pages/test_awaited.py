"""Whom a pack waits for, told to members of the business who do not sign."""

from datetime import timedelta

import pytest

from console.accounts import members
from console.accounts.models import Invitation
from console.accounts.roles import Role
from console.core import clock
from tests import factories
from tests.agreements.pages.addresses import own, words


@pytest.fixture
def another_owner(pack, client):
    owner = factories.a_member(pack.business, Role.OWNER)
    factories.signed_in(client, owner)
    return owner


def test_an_owner_who_does_not_sign_is_told_who_is_waited_for(client, pack, another_owner):
    said = words(client.get(own("pack", pack)))

    assert "Waiting for Mara Ellwood" in said
    assert "They can sign, and have not accepted a document yet." in said
    assert "documents accepted by Mara Ellwood" in said
    assert "accepted by you" not in said


def test_it_counts_what_the_signatory_has_accepted(client, pack, another_owner):
    factories.accepted(pack, by=another_owner)
    assert "have not accepted a document yet" in words(client.get(own("pack", pack)))

    factories.accepted(pack)

    said = words(client.get(own("pack", pack)))
    assert "They have accepted every document. Their signature is next." in said


def test_the_next_card_and_the_steps_name_the_signatory(client, pack, another_owner):
    page = client.get(f"/b/{pack.business.public_id}/")

    assert "Waiting for Mara Ellwood" in words(page)


def test_the_signatory_is_told_to_read(client, pack, signatory):
    said = words(factories.signed_in(client, signatory).get(own("pack", pack)))

    assert "Waiting for" not in said
    assert "Before you can sign" in said


def test_the_state_of_the_invitation_is_told(client, pack, another_owner):
    mara = factories.owner_of(pack.business)
    factories.leave(pack.business, mara)
    said = words(client.get(own("pack", pack)))
    assert "No invitation is sent yet." in said
    assert "Invite the signatory" in said

    invitation = members.invite_signatory(
        pack.business, email=mara.email, name=mara.name, inviter=another_owner, by=another_owner
    )
    said = words(client.get(own("pack", pack)))
    assert "Invitation sent on" in said
    assert "not accepted yet" in said

    rows = Invitation.objects.filter(pk=invitation.pk)
    factories.change(rows, expires_at=clock.now() - timedelta(days=1))
    said = words(client.get(own("pack", pack)))
    assert "Their invitation expired on" in said
    assert "Invite the signatory" in said


def test_the_sign_page_of_a_second_signatory_names_the_first(client, pack):
    other = factories.a_member(pack.business, Role.SIGNATORY)
    factories.an_authenticator(other)

    said = words(factories.signed_in(client, other).get(own("sign", pack)))

    assert "Your answers name Mara Ellwood" in said
    assert "They can sign, and have not accepted a document yet." in said
    assert "Read and accept" not in said
