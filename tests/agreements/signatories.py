"""Packs that several people sign, with three documents."""

from typing import Any

from agreements.lifecycle import PackStatus
from agreements.models import Pack, SignatureAct
from agreements.signing import signature
from console.accounts import access, members
from console.accounts.models import Invitation, User
from console.accounts.roles import Role
from tests import factories

IFAN, UNA = ("Ifan Rhys", "ifan@kettle.example"), ("Una Quill", "una@kettle.example")


def answers(rule: str = "all", *others: tuple[str, str]) -> dict[str, Any]:
    """Return the answers that these people sign with the signatory under this rule."""
    rows = [
        {"cosignatory_name": name, "cosignatory_email": email, "cosignatory_title": "Director"}
        for name, email in others or (IFAN,)
    ]
    return {
        "ow_signatory_basis": "joint_directors",
        "ow_signing_rule": rule,
        "ow_cosignatories": rows,
    }


def a_joint_pack(
    rule: str = "all", *others: tuple[str, str], at: str = PackStatus.IN_REVIEW
) -> tuple[Pack, User, list[User]]:
    """Return a pack, its signatory, and the others, who have accepted their invitations."""
    with factories.few_documents():
        pack = factories.walk_a_pack(at, tier="LOW", **answers(rule, *others))
    return pack, factories.owner_of(pack.business), joined(pack, *others)


def joined(pack: Pack, *others: tuple[str, str]) -> list[User]:
    """Return the others, as accounts that accepted their invitation to sign."""
    people = []
    for name, email in others or (IFAN,):
        person = User.objects.filter(email=email).first() or factories.a_person(name, email=email)
        invitation = Invitation.objects.open().get(business=pack.business, email=email)
        members.accept(members.invitation_token(invitation), by=person)
        assert access.roles_of(person, pack.business) == {Role.SIGNATORY}
        people.append(person)
    return people


def signs(pack: Pack, person: User) -> SignatureAct:
    """Read every document and sign."""
    pack = factories.accepted(pack, by=person)
    assert pack.revision is not None
    offer = pack.revision.offer_sha256
    return signature.sign(pack, offer_sha256=offer, proof=factories.BY_CODE, by=person)
