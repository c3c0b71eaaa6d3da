"""Decisions that somebody writes with the site's database role, past the console."""

from pathlib import Path

import pytest
from django.conf import settings
from django.db import DatabaseError, transaction

from agreements.lifecycle import DecisionRole, PackStatus
from agreements.models import Decision
from agreements.sealing import execution
from agreements.verification import pack_verification, signed_acts
from console.accounts.roles import Role
from console.core import blobs
from tests import factories
from tests.agreements.sealing import invented
from tests.databases import as_owner, go_past_triggers

pytestmark = pytest.mark.django_db(transaction=True)
OFFICER, COMPLIANCE = Role.COMPLIANCE, DecisionRole.COMPLIANCE


@pytest.fixture
def pack():
    return factories.a_pack(PackStatus.IN_APPROVAL)


def committed(*steps):
    with transaction.atomic():
        for step in steps:
            step()


def refused(words, *steps):
    """Commit these steps in one transaction, which must fail with these words."""
    with pytest.raises(DatabaseError, match=words):
        committed(*steps)


def test_nothing_is_invented_without_an_entry(pack):
    officer = factories.one_of_staff(OFFICER)
    refused("an audit entry", lambda: invented.decided(pack, entries=False))
    refused("reviewer changes together", lambda: invented.reviewer(pack, COMPLIANCE, officer))
    refused("pack changes together", lambda: invented.execute(invented.STATUS, "stale", pack.pk))
    application = "UPDATE onboarding_application SET status = 'withdrawn' WHERE id = %s"
    refused(
        "application changes together", lambda: invented.execute(application, pack.application_id)
    )
    # An entry about another status does not help.
    other, business = {"status": "approved"}, pack.business
    refused(
        "pack changes together",
        lambda: invented.execute(invented.STATUS, "stale", pack.pk),
        lambda: invented.entry(pack, None, "pack.approved", business, after=other),
    )


def test_an_entry_names_who_decided_and_what(pack):
    officer, other = factories.one_of_staff(OFFICER), factories.one_of_staff(OFFICER)

    def invent(by=officer, said=None, **told):
        invented.act(invented.reviewer(pack, COMPLIANCE, officer), COMPLIANCE)
        sha256 = invented.decision(pack, COMPLIANCE, officer, said)
        details = {"role": "compliance", "verdict": "approved", "decision_sha256": sha256} | told
        business = pack.business
        invented.entry(pack, by, "pack.approval_given", business, details=details)
        # So that the reviewer is recorded in any case.
        invented.entry(pack, officer, "pack.read", business)

    refused("of its person", lambda: invent(by=other))
    refused("of its person", lambda: invent(verdict="returned"))
    refused("of its person", lambda: invent(decision_sha256="0" * 64))
    for said in (
        {"person": {"id": other.public_id, "name": other.name}},
        {"role": "legal"},
        {"verdict": "returned"},
        {"pack": "AGP-2026-999999"},
        {"signed_set_sha256": "0" * 64},
    ):
        refused("not what its file says", lambda words=said: invent(said=words))
    with transaction.atomic():
        invent()
    assert Decision.objects.filter(person=officer).count() == 1


def test_what_has_its_entries_and_no_files_is_not_sealed(pack):
    factories.checked_seal()
    with transaction.atomic():
        invented.decided(pack, entries=True)

    with pytest.raises(execution.InventedActs, match="is missing"):
        execution.seal(pack)

    pack.refresh_from_db()
    assert (pack.status, pack.failures) == (PackStatus.COUNTERSIGNING, 1)


def test_verification_finds_a_decision_without_its_file_or_entry():
    pack = factories.a_pack(PackStatus.EXECUTED)
    assert list(signed_acts.problems(pack)) == []
    act = pack.revision.acts.get()
    decision = pack.revision.decisions.get(role=DecisionRole.LEGAL)
    for sha256 in (act.act_sha256, decision.decision_sha256):
        file = Path(settings.MEDIA_ROOT) / blobs.name_of(sha256)
        data = file.read_bytes()
        file.unlink()
        assert "is missing" in " ".join(pack_verification.problems(lambda *_: None))
        file.write_bytes(data)

    changes = (
        ("UPDATE agreements_decision SET person_id = %s WHERE id = %s", decision, "its row says"),
        ("UPDATE agreements_signatureact SET person_id = %s WHERE id = %s", act, "its row says"),
        ("UPDATE agreements_signatureact SET person_id = %s WHERE id = %s", act, "has no entry"),
    )
    for statement, row, words in changes:
        with as_owner() as owner:
            go_past_triggers(owner)
            owner.execute(statement, [factories.a_person().pk, row.pk])
        assert words in " ".join(signed_acts.problems(pack))
        with as_owner() as owner:
            go_past_triggers(owner)
            owner.execute(statement, [row.person_id, row.pk])
    assert list(signed_acts.problems(pack)) == []
