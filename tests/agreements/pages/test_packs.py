"""The list of packs that wait for our staff."""

from functools import partial

from django.urls import reverse

from agreements.approvals import approvals
from agreements.lifecycle import DecisionRole, PackStatus
from console.accounts import access
from console.accounts.roles import Role
from console.shell import modules
from tests import factories
from tests.agreements.pages.addresses import staff, words

URL = reverse("agreements:packs")


def listed(client, pack, **query):
    return pack.number in words(client.get(URL, query))


def test_a_signed_pack_waits_for_each_approver(client, pack):
    pack = factories.walked(pack, PackStatus.IN_APPROVAL)

    for role in (Role.COMPLIANCE, Role.COMMERCIAL, Role.LEGAL):
        assert listed(staff(client, role), pack)
    for role in (Role.COUNTERSIGNATORY, Role.OPERATOR, Role.AUDITOR):
        assert not listed(staff(client, role), pack)


def test_it_no_longer_waits_for_whoever_decided(client, pack):
    pack = factories.walked(pack, PackStatus.IN_APPROVAL)
    legal = factories.one_of_staff(Role.LEGAL)
    sent = factories.signed_set(pack)
    approvals.approve(
        pack, DecisionRole.LEGAL, signed_set_sha256=sent, proof=factories.BY_CODE, by=legal
    )

    assert not listed(factories.signed_in(client, legal), pack)
    assert not listed(staff(client, Role.LEGAL), pack)
    assert listed(staff(client, Role.COMMERCIAL), pack)


def test_at_the_highest_tier_it_waits_for_two_of_compliance(client, high):
    pack = factories.walked(high, PackStatus.IN_APPROVAL)
    head = factories.one_of_staff(Role.HEAD_OF_COMPLIANCE)
    role, sent = DecisionRole.COMPLIANCE, factories.signed_set(pack)
    approvals.approve(pack, role, signed_set_sha256=sent, proof=factories.BY_CODE, by=head)

    assert listed(staff(client, Role.COMPLIANCE), pack)
    assert not listed(factories.signed_in(client, head), pack)


def test_an_approved_pack_waits_for_the_countersignatory(client, pack):
    pack = factories.walked(pack, PackStatus.APPROVED)

    assert listed(staff(client, Role.COUNTERSIGNATORY), pack)
    assert not listed(staff(client, Role.LEGAL), pack)


def test_a_stopped_pack_waits_for_an_operator(client):
    pack = factories.a_pack(PackStatus.QUARANTINED)

    assert listed(staff(client, Role.OPERATOR), pack)
    assert pack.number in client.get(reverse("governance:work")).content.decode()


def test_the_rail_counts_what_waits(pack):
    pack = factories.walked(pack, PackStatus.IN_APPROVAL)

    legal, auditor = factories.one_of_staff(Role.LEGAL), factories.one_of_staff(Role.AUDITOR)
    assert modules.waiting(legal, partial(access.can, legal))["packs"] == 1
    assert modules.waiting(auditor, partial(access.can, auditor))["packs"] == 0


def test_the_address_narrows_the_list(client, pack):
    pack = factories.walked(pack, PackStatus.IN_APPROVAL)
    staff(client, Role.AUDITOR)
    for stage in ["waiting", "in_approval", "all"]:
        assert listed(client, pack, stage=stage)
        assert listed(client, pack, stage=stage, q="kettle", tier=pack.tier)
        assert listed(client, pack, stage=stage, q=pack.number.lower())
        assert not listed(client, pack, stage=stage, q="somebody else")
        assert not listed(client, pack, stage=stage, tier="HIGH")
    for stage in ["approved", "stopped", "executed", "business"]:
        assert not listed(client, pack, stage=stage)


def test_an_address_that_makes_no_sense_is_an_empty_list(client, pack):
    page = staff(client, Role.AUDITOR).get(URL, {"stage": "☃", "page": "-7", "tier": "x"})

    assert page.status_code == 200
    assert "No packs match these filters." in words(page)
