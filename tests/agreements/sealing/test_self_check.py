"""A background check of sealing; countersigning and pages read its outcome."""

from datetime import datetime, timedelta
from io import StringIO

import pytest
import time_machine
from django.core.management import call_command
from django.urls import reverse

from agreements.approvals import countersigning
from agreements.approvals.countersigning import CannotCountersign
from agreements.lifecycle import PackStatus
from agreements.models import Decision, SealCheck
from agreements.pki import certificates, seal_keys
from agreements.sealing import pdf_seal, self_check
from console.accounts.roles import Role
from console.audit.models import Entry
from console.core import clock
from console.events.models import Event
from onboarding.models import CaseAct
from tests import factories
from tests.databases import as_owner


@pytest.fixture
def approved():
    return factories.a_pack(PackStatus.APPROVED)


def countersign(pack, by=None):
    by = by or factories.one_of_staff(Role.COUNTERSIGNATORY)
    return countersigning.countersign(
        pack, signed_set_sha256=factories.signed_set(pack), proof=factories.BY_CODE, by=by
    )


def rows() -> list[int]:
    return [model.objects.count() for model in (Decision, CaseAct, Event, Entry)]


def after(**passed: int) -> datetime:
    """Return the time that long after the check."""
    return SealCheck.objects.get().at + timedelta(**passed)


@pytest.fixture
def no_sealing(monkeypatch):
    """Fail the test if anything is sealed."""

    def refuse(*_, **__):
        raise AssertionError("A page or a row lock sealed something.")

    monkeypatch.setattr(pdf_seal, "seal_pdf", refuse)


def test_a_check_of_less_than_five_minutes_ago_will_do(approved, no_sealing):
    by = factories.one_of_staff(Role.COUNTERSIGNATORY)
    with time_machine.travel(after(minutes=4, seconds=59), tick=False):
        assert countersign(approved, by).status == PackStatus.COUNTERSIGNING


def test_an_older_check_refuses_and_changes_nothing(approved, no_sealing):
    by = factories.one_of_staff(Role.COUNTERSIGNATORY)
    before = rows()
    with (
        time_machine.travel(after(minutes=5, seconds=1), tick=False),
        pytest.raises(CannotCountersign, match="5 minutes ago, which is too long ago"),
    ):
        countersign(approved, by)

    assert factories.fresh_pack(approved).status == PackStatus.APPROVED
    assert rows() == before


def test_a_failure_refuses(approved):
    SealCheck.objects.update(at=clock.now(), problem="There is no seal yet.")
    refuses(approved, "Sealing failed at the last check, now")


@pytest.mark.django_db(transaction=True)
def test_no_check_at_all_refuses(approved):
    with as_owner() as owner:
        owner.execute("DELETE FROM agreements_sealcheck")
    refuses(approved, "not checked sealing yet")


def refuses(approved, said):
    with pytest.raises(CannotCountersign, match=said):
        countersign(approved)
    assert factories.fresh_pack(approved).status == PackStatus.APPROVED


def test_a_refresh_keeps_the_last_outcome_alone(settings, tmp_path):
    factories.checked_seal()
    assert self_check.obstacle() == ""
    settings.PKI_DIR = tmp_path / "none"
    self_check.refresh()
    assert "There is no seal yet." in SealCheck.objects.get().problem


def test_pages_show_the_check_with_its_age_and_seal_nothing(client, approved, no_sealing):
    case = reverse("agreements:case", args=[approved.application.public_id])
    operator = factories.one_of_staff(Role.OPERATOR)
    with time_machine.travel(after(minutes=2), tick=False):
        factories.signed_in(client, factories.one_of_staff(Role.COUNTERSIGNATORY))
        assert "Sealing worked at the last check, 2 minutes ago." in client.get(case).text
        factories.signed_in(client, operator)
        page = client.get(reverse("governance:work")).text
        assert "2 minutes ago" in page
        assert "too long ago" not in page
    with time_machine.travel(after(minutes=9), tick=False):
        factories.signed_in(client, operator)
        page = client.get(reverse("governance:work")).text
        assert "9 minutes ago" in page


def test_the_commands_that_change_the_seal_check_it(settings, tmp_path):
    settings.PKI_DIR = tmp_path / "pki"
    call_command("setup_seal", stdout=StringIO())
    assert self_check.obstacle() == ""

    SealCheck.objects.update(problem="Nobody knows.")
    lost = certificates.fingerprint(seal_keys.seal().certificate)
    call_command("withdraw_seal", lost, since="2026-11-20", reason="Lost", stdout=StringIO())
    assert self_check.obstacle() == ""
