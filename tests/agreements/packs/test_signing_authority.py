"""Nobody signs a pack whose signatories cannot bind the company."""

import re
from pathlib import Path
from typing import get_args

import pytest
from django.urls import reverse

from agreements.approvals import approvals, countersigning
from agreements.lifecycle import DecisionRole, PackStatus
from agreements.models import Pack, SignatureAct, acts
from console.accounts.roles import Role
from console.core.refusals import NotReady
from onboarding.intake import signing_authority
from onboarding.questionnaire.document_facts import Basis
from tests import databases, factories
from tests.agreements.pages.addresses import own, words
from tests.databases import refused_by
from tests.four_eyes.raw_statements import like

NOT_ALONE = sorted({*get_args(Basis)} - {*signing_authority.SIGNS_ALONE})
each = pytest.mark.parametrize("basis", NOT_ALONE)


def with_basis(pack: Pack, basis: str) -> Pack:
    """Return the pack as if its answers had stated this basis when it was prepared."""
    with databases.as_owner() as owner:
        databases.go_past_triggers(owner)
        owner.execute(
            "UPDATE agreements_revision SET signatory = jsonb_set(signatory, '{basis}', %s)"
            " WHERE id = %s",
            [f'"{basis}"', pack.revision_id],
        )
    return factories.fresh_pack(pack)


def test_every_basis_is_known_and_the_database_has_the_same():
    assert NOT_ALONE == ["authority_document", "joint_directors"]
    assert all(signing_authority.obstacle({"basis": basis}) for basis in NOT_ALONE)
    rule = Path(acts.__file__).with_name("agreements_require_authority.sql").read_text()
    (listed,) = re.findall(r"'basis' IN \(([^)]+)\)", rule)
    assert tuple(listed.replace("'", "").split(", ")) == signing_authority.SIGNS_ALONE


@each
def test_nobody_signs_and_both_sides_read_why(client, basis):
    pack = with_basis(factories.a_pack(PackStatus.READY_TO_SIGN), basis)
    owner, why = factories.owner_of(pack.business), signing_authority.obstacle({"basis": basis})
    factories.an_authenticator(owner)
    factories.signed_in(client, owner)
    assert pack.revision is not None

    for page in ("pack", "sign"):
        shown = words(client.get(own(page, pack)))
        assert f"{why} Write to us: we return your answers" in shown
    press = {"offer_sha256": pack.revision.offer_sha256}
    assert why in words(client.post(own("sign", pack), press))
    assert not SignatureAct.objects.filter(revision=pack.revision).exists()

    case = reverse("agreements:case", args=[pack.application.public_id])
    reviewer = factories.one_of_staff(Role.COMPLIANCE)
    shown = words(factories.signed_in(client, reviewer).get(case))
    assert "Nobody can sign it" in shown


@each
def test_what_was_signed_with_it_is_only_sent_back(basis):
    pack = with_basis(factories.a_pack(PackStatus.IN_APPROVAL), basis)
    approved = with_basis(factories.a_pack(PackStatus.APPROVED), basis)
    lawyer, boss = map(factories.one_of_staff, (Role.LEGAL, Role.COUNTERSIGNATORY))
    seen, why = factories.signed_set(pack), signing_authority.obstacle({"basis": basis})

    with pytest.raises(NotReady, match=why):
        approvals.approve(
            pack, DecisionRole.LEGAL, signed_set_sha256=seen, proof=factories.BY_CODE, by=lawyer
        )
    with pytest.raises(NotReady, match=why):
        countersigning.countersign(
            approved,
            signed_set_sha256=factories.signed_set(approved),
            proof=factories.BY_CODE,
            by=boss,
        )
    act = like(SignatureAct.objects.get(revision=pack.revision), public_id="x", person_id=boss.pk)
    assert refused_by(act[0], *act[1]) == "who_signs_can_bind_the_company"
    decision = approvals.decisions(approved)[0]
    again = like(decision, public_id="x", place=9)
    assert refused_by(again[0], *again[1]) == "what_is_approved_binds_the_company"
    sent_back = approvals.send_back(
        pack, DecisionRole.LEGAL, signed_set_sha256=seen, note="Name another.", by=lawyer
    )
    assert sent_back.status == PackStatus.RETURNED
