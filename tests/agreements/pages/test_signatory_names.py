"""A signatory whose account has another name than the answers: small differences are one press."""

import json

import pytest

from agreements.models import PackEvent, SignatureAct
from agreements.signing import confirmed_names, signature
from console.accounts import members
from console.accounts.models import User
from console.core.refusals import NotAllowed
from tests import factories
from tests.agreements.pages.addresses import own, words


def renamed(person, name):
    factories.change(User.objects.filter(pk=person.pk), name=name)
    person.refresh_from_db()
    return person


def page_of(client, pack, person):
    return words(factories.signed_in(client, person).get(own("pack", pack)))


@pytest.mark.parametrize("name", ["Ellwood, MARA", "Dr. Mara Ellwood", "Mara Ell-wood"])
def test_a_spelling_of_the_same_name_signs(pack, signatory, name):
    assert signature.is_signatory(pack, renamed(signatory, name))


def test_a_middle_name_is_confirmed_by_one_press_and_recorded(client, pack, signatory):
    person = renamed(signatory, "Mara J. Ellwood")
    shown = page_of(client, pack, person)
    assert "name you as Mara Ellwood, and your account as Mara J. Ellwood" in shown
    assert "Both names are mine" in shown
    assert not signature.is_signatory(pack, person)

    answer = client.post(own("confirm_name", pack), follow=True)

    assert "You confirmed that both names are yours." in words(answer)
    assert "confirmed their name" in words(answer)
    assert "Both names are mine" not in words(answer)
    assert signature.is_signatory(pack, person)
    event = json.loads(PackEvent.objects.filter(pack=pack).latest("seq").body)["body"]
    assert (event["named"], event["own"]) == ("Mara Ellwood", "Mara J. Ellwood")
    assert not signature.is_signatory(pack, renamed(person, "Mara K. Ellwood"))


def test_the_act_states_both_names(pack, signatory):
    person = renamed(signatory, "Mara J. Ellwood")
    confirmed_names.confirm(pack, by=person)
    factories.accepted(pack, by=person)
    offer = factories.fresh_pack(pack).revision.offer_sha256

    signature.sign(pack, offer_sha256=offer, proof=factories.BY_CODE, by=person)

    act = json.loads(SignatureAct.objects.get(person=person).body)["body"]
    assert (act["named"], act["person"]["name"]) == ("Mara Ellwood", "Mara J. Ellwood")


def test_another_name_leads_to_the_details_of_the_account(client, pack, signatory):
    person = renamed(signatory, "Ben Ellwood")
    shown = page_of(client, pack, person)
    assert "your account name is Ben Ellwood" in shown
    assert "Change your name" in shown
    with pytest.raises(NotAllowed):
        confirmed_names.confirm(pack, by=person)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "said"),
    [("Ann Lee", ""), ("Ann M. Lee", "you confirm that"), ("Ben Lee", "before you read")],
)
def test_names_are_compared_when_the_invitation_is_opened(client, name, said):
    business = factories.a_business()
    owner = factories.owner_of(business)
    person = factories.a_person(name=name)
    invitation = members.invite_signatory(
        business, email=person.email, name="Ann Lee", inviter=owner, by=owner
    )
    token = members.invitation_token(invitation)
    shown = words(factories.signed_in(client, person).get(f"/invitation/{token}/"))
    assert ("Your account has another name" in shown) == bool(said)
    assert said in shown
