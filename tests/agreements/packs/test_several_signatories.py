"""Several people sign a pack: who counts, how many are enough, and what is refused."""

import json
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from threading import Barrier

import pytest
from django.conf import settings
from django.core import mail as outgoing
from django.db import connection

from agreements.lifecycle import DocumentStatus, PackStatus
from agreements.models import Pack, PackEvent, Receipt, SignatureAct
from agreements.packs import authority, offer_hash, packs
from agreements.pki import certificates, seal_keys
from agreements.signing import reading, signature
from agreements.verification import signed_acts
from console.accounts import members
from console.accounts.actors import SYSTEM
from console.accounts.models import Invitation
from console.accounts.roles import Role
from console.core import blobs, clock, digests
from console.core.refusals import NotAllowed, Refused
from console.events import outbox
from console.events.models import EventDelivery
from onboarding.intake import applications
from onboarding.models import Check
from onboarding.models.check import CheckKind
from tests import factories
from tests.agreements.rendering.pdf import words
from tests.agreements.signatories import IFAN, UNA, a_joint_pack, answers, signs
from tests.databases import refused_by

COMMITS = pytest.mark.django_db(transaction=True)


@pytest.mark.django_db
def test_one_act_of_two_is_not_signed_and_the_second_is():
    pack, mara, (ifan,) = a_joint_pack()

    first = signs(pack, mara)

    pack = factories.fresh_pack(pack)
    assert pack.status == PackStatus.PARTLY_SIGNED
    assert (pack.signed_at, factories.signed_set(pack)) == (None, "")
    assert {one.status for one in packs.documents_of(pack)} == {DocumentStatus.ACCEPTED}

    second = signs(pack, ifan)

    pack = factories.fresh_pack(pack)
    assert (pack.status, pack.signed_at) == (PackStatus.IN_APPROVAL, second.at)
    assert {one.status for one in packs.documents_of(pack)} == {DocumentStatus.SIGNED}
    signed_set = digests.parse(blobs.get(factories.signed_set(pack)))
    assert signed_set["acts"] == sorted([first.act_sha256, second.act_sha256])
    said = [digests.parse(one.body.encode()) for one in (first, second)]
    assert pack.revision is not None
    assert [one["named"] for one in said] == ["Mara Ellwood", "Ifan Rhys"]
    assert {one["statement_sha256"] for one in said} == {
        digests.sha256_hex(offer_hash.statement(pack, pack.revision).encode())
    }
    assert "Mara Ellwood, Director; Ifan Rhys, Director" in said[0]["statement"]
    assert "once all signatories have signed" in said[0]["statement"]


@pytest.mark.django_db
@pytest.mark.parametrize(("rule", "enough"), [("any_two", 2), ("all", 3)])
def test_the_rule_says_how_many_are_enough(rule, enough):
    pack, mara, others = a_joint_pack(rule, IFAN, UNA)
    people = [mara, *others][::-1]
    for number, person in enumerate(people[:enough], 1):
        signs(pack, person)
        pack = factories.fresh_pack(pack)
        done = PackStatus.IN_APPROVAL if number == enough else PackStatus.PARTLY_SIGNED
        assert pack.status == done
    if people[enough:]:
        with pytest.raises(Refused):
            signs(pack, people[-1])
    assert pack.revision.acts.count() == enough


@pytest.mark.django_db
def test_the_second_is_refused_who_left_the_business_or_is_not_named():
    pack, mara, (ifan,) = a_joint_pack()
    signs(pack, mara)
    deputy = factories.a_member(pack.business, Role.OWNER)
    with pytest.raises(signature.CannotSign) as refused:
        signs(pack, deputy)
    assert [one.code for one in refused.value.blockers] == ["signatory"]

    factories.accepted(pack, by=ifan)
    members.set_roles(pack.business, ifan, [], by=mara)
    with pytest.raises(NotAllowed):
        signs(pack, ifan)
    members.set_roles(pack.business, deputy, [Role.VIEWER], by=mara)
    assert factories.fresh_pack(pack).status == PackStatus.PARTLY_SIGNED


@pytest.mark.django_db
def test_repeating_a_signature_returns_it_and_an_expired_offer_takes_no_second():
    pack, mara, (ifan,) = a_joint_pack()
    first = signs(pack, mara)
    offer = pack.revision.offer_sha256
    again = signature.sign(pack, offer_sha256=offer, proof=factories.BY_CODE, by=mara)
    assert again == first
    factories.accepted(pack, by=ifan)
    Pack.objects.filter(pk=pack.pk).update(expires_at=clock.now())
    with pytest.raises(signature.CannotSign) as refused:
        signature.sign(pack, offer_sha256=offer, proof=factories.BY_CODE, by=ifan)
    assert [one.code for one in refused.value.blockers] == ["expired"]
    packs.expire(factories.fresh_pack(pack), by=SYSTEM)
    assert factories.fresh_pack(pack).status == PackStatus.EXPIRED


@pytest.mark.django_db
def test_nothing_is_taken_back_after_the_first_signature():
    pack, mara, (ifan,) = a_joint_pack()
    signs(pack, mara)
    document = packs.documents_of(pack)[0]
    for person in (mara, ifan):
        with pytest.raises(reading.NotOffered, match="Somebody has signed"):
            reading.take_back(document, by=person)
    row = Receipt.objects.get(document=document, person=mara)
    statement = f"DELETE FROM agreements_receipt WHERE id = {row.pk}"
    assert refused_by(statement) == "receipts_of_what_was_signed_are_kept"


@pytest.mark.django_db
def test_the_database_refuses_signed_and_decisions_without_enough_acts():
    pack, mara, _others = a_joint_pack()
    act = signs(pack, mara)
    for status in ("signed", "in_approval"):
        move = f"UPDATE agreements_pack SET status = '{status}' WHERE id = {pack.pk}"
        assert refused_by(move) in ("what_is_signed_binds_the_company", "pack_moves_by_the_table")
    move = f"UPDATE agreements_pack SET status = 'signed' WHERE id = {pack.pk}"
    assert refused_by(move) == "what_is_signed_binds_the_company"
    signed = [one.signer["email"] for one in SignatureAct.objects.filter(revision=pack.revision)]
    assert signed == [act.signer["email"]]
    # Somebody who is not named does not count.
    assert pack.revision is not None
    assert not authority.is_met(pack.revision, [*signed, "stranger@kettle.example"])
    assert any("not everybody has signed" in one for one in signed_acts.problems(pack))


@COMMITS
def test_two_who_sign_at_the_same_moment_complete_the_pack_once():
    pack, mara, (ifan,) = a_joint_pack()
    for person in (mara, ifan):
        factories.accepted(pack, by=person)
    offer = factories.fresh_pack(pack).revision.offer_sha256
    start = Barrier(6)

    def press(person):
        try:
            start.wait(20)
            proof = factories.BY_CODE
            return signature.sign(pack, offer_sha256=offer, proof=proof, by=person).act_sha256
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        acts = list(pool.map(press, [mara, ifan] * 3))

    assert len({*acts}) == 2
    pack = factories.fresh_pack(pack)
    assert pack.status == PackStatus.IN_APPROVAL
    events = [json.loads(one.body)["body"] for one in PackEvent.objects.filter(pack=pack)]
    told = [one["type"] for one in sorted(events, key=lambda one: one["seq"])]
    assert told[-5:] == [
        "pack.act", "pack.partly_signed", "pack.act", "pack.signed", "pack.in_approval",
    ]  # fmt: skip
    assert sorted(one["seq"] for one in events) == list(range(len(events)))


@COMMITS
def test_a_signature_and_the_expiry_of_an_offer_do_not_both_win():
    pack, mara, (ifan,) = a_joint_pack()
    signs(pack, mara)
    factories.accepted(pack, by=ifan)
    offer = factories.fresh_pack(pack).revision.offer_sha256
    Pack.objects.filter(pk=pack.pk).update(expires_at=clock.now())
    start = Barrier(2)

    def press(do):
        try:
            start.wait(20)
            do()
        except Refused:
            return False
        finally:
            connection.close()
        return True

    def sign():
        signature.sign(pack, offer_sha256=offer, proof=factories.BY_CODE, by=ifan)

    with ThreadPoolExecutor(2) as pool:
        did = list(pool.map(press, [sign, lambda: packs.expire(pack, by=SYSTEM)]))
    assert did == [False, True]


@COMMITS
def test_the_executed_pack_lists_both_and_both_checkers_agree(tmp_path):
    pack, mara, (ifan,) = a_joint_pack()
    signs(pack, mara)
    signs(pack, ifan)
    with factories.few_documents():
        pack = factories.walked(factories.fresh_pack(pack), PackStatus.EXECUTED)

    with zipfile.ZipFile(BytesIO(blobs.get(pack.bundle_sha256))) as archive:
        archive.extractall(tmp_path)
    folder = tmp_path / pack.number
    assert [one.name for one in sorted((folder / "acts").iterdir())] == ["01.json", "02.json"]
    offered = digests.parse((folder / "offer.json").read_bytes())["authority"]
    assert (offered["needs"], offered["rule"]) == (2, "all signatories")
    said = " ".join(words((folder / "00-certificate.pdf").read_bytes()).split())
    assert "Mara Ellwood" in said
    assert "Ifan Rhys" in said
    root = certificates.fingerprint(seal_keys.seal().root)
    for program in (
        ["/bin/sh", folder / "verify.sh", root],
        [sys.executable, "-I", settings.ROOT / "docs/check_evidence.py", folder, root],
    ):
        asked = subprocess.run(program, capture_output=True, text=True, check=False)
        assert asked.returncode == 0, asked.stdout
        assert "Signature 2" in asked.stdout or "acts/02.json" in asked.stdout
    assert list(signed_acts.problems(pack)) == []


@pytest.mark.django_db
def test_each_is_invited_identified_and_screened_and_gets_e_mails_of_their_own():
    wanted = answers("all", IFAN, UNA)
    application = factories.an_application("answered", **wanted)
    owner = factories.owner_of(application.business)
    application = applications.submit(application, declared=True, by=owner)
    invited = Invitation.objects.open().filter(business=application.business)
    emails = sorted(invited.values_list("email", flat=True))
    assert emails == ["ifan@kettle.example", "mara@kettle.example", "una@kettle.example"]
    factories.settle_reviews()
    checks = Check.objects.filter(application=application)
    about = {(one.kind, one.subject): one.subject_name for one in checks}
    assert about[CheckKind.SIGNATORY, "signatory.1"] == "Ifan Rhys"
    assert about[CheckKind.SIGNATORY, "signatory.2"] == "Una Quill"
    # Ifan is an owner, who is screened already.
    assert (CheckKind.SCREENING, "signatory.1") not in about
    assert about[CheckKind.SCREENING, "signatory.2"] == "Una Quill"


@pytest.mark.django_db
def test_mails_go_to_whose_turn_it_is():
    pack, mara, (ifan,) = a_joint_pack()
    _deliver()
    ready = {one.to[0] for one in outgoing.outbox if "ready to read" in one.subject}
    assert ready == {mara.email, ifan.email}
    signs(pack, mara)
    _deliver()
    waits = [one.to[0] for one in outgoing.outbox if "wait for your signature" in one.subject]
    assert waits == [ifan.email]


def _deliver():
    for delivery in EventDelivery.objects.waiting().filter(listener="agreements.emails"):
        assert outbox.handle(delivery.pk)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (answers("pair", IFAN, UNA), "a named pair is two people"),
        (answers("all", IFAN, IFAN), "ifan@kettle.example is named twice"),
    ],
)
def test_a_set_that_cannot_sign_is_not_submitted(wanted, said):
    application = factories.an_application("answered", **wanted)
    with pytest.raises(applications.CannotSubmit) as refused:
        applications.submit(application, declared=True, by=factories.owner_of(application.business))
    assert any(said in one.message for one in refused.value.blockers)
