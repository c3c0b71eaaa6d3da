"""Files of applications without a contract are removed after 90 days; their rows stay."""

from datetime import timedelta
from io import StringIO

import pytest
import time_machine
from django.core.management import call_command
from django.urls import reverse

from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.audit.models import Entry
from console.core import blobs, clock
from onboarding.evidence import removal
from onboarding.evidence.models import EvidenceFile
from onboarding.review import decisions
from tests import factories

LATER = timedelta(days=removal.KEEP_DAYS, hours=1)


def decline(case):
    by = factories.one_of_staff(Role.COMPLIANCE)
    decisions.decline(factories.fresh(case), note="No.", by=by)


def command(*words):
    said = StringIO()
    call_command("remove_evidence", *words, stdout=said)
    return said.getvalue()


@pytest.mark.django_db(transaction=True)
def test_files_of_a_declined_application_are_removed(file, case, staff):
    decline(case)
    folder = removal.folder_of(case)
    assert "0 files removed" in command()

    with time_machine.travel(clock.now() + LATER, tick=False):
        said = command("--dry-run")
        assert file.public_id in said
        assert "1 files to remove" in said
        assert blobs.exists(file.sha256, folder)
        assert "1 files removed" in command()
        assert "0 files removed" in command()

    gone = EvidenceFile.objects.get()
    assert (gone.removed_because, gone.sha256) == ("outlived", file.sha256)
    assert gone.erased_at
    assert not blobs.exists(file.sha256, folder)
    assert Entry.objects.filter(code="evidence_file.outlived").count() == 1
    page = staff.get(reverse("onboarding:evidence_file", args=[file.public_id])).text
    assert "no longer needed" in page
    assert file.sha256[-8:] in page


def test_files_of_an_open_application_stay(file):
    with time_machine.travel(clock.now() + LATER, tick=False):
        removal.remove_outlived()
    assert EvidenceFile.objects.get().removed_at is None


@pytest.mark.django_db(transaction=True)
def test_a_removal_that_stopped_is_finished(file, case, monkeypatch):
    decline(case)
    with time_machine.travel(clock.now() + LATER, tick=False):
        with monkeypatch.context() as stopping:
            stopping.setattr(removal, "erase_on_commit", lambda file: None)
            removal.remove(file, by=SYSTEM)
        assert blobs.exists(file.sha256, removal.folder_of(case))
        removal.remove_outlived()
    assert not blobs.exists(file.sha256, removal.folder_of(case))
