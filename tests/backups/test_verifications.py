"""Each verification finds what is wrong with what it reads, and changes nothing."""

import io

import pytest
from django.core.management import CommandError, call_command

from agreements.lifecycle import PackStatus
from agreements.models import Document
from api.payments.models import Balance
from tests import factories
from tests.apikeys import world
from tests.databases import as_owner, go_past_triggers

COMMITS = pytest.mark.django_db(transaction=True)


@pytest.fixture
def pack(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "blobs"
    return factories.packs.a_pack(PackStatus.EXECUTED)


def problems(name: str) -> str:
    """Return what `verify` finds."""
    wrong = io.StringIO()
    try:
        call_command("verify", name, stderr=wrong, stdout=io.StringIO())
    except CommandError:
        assert wrong.getvalue()
    return wrong.getvalue()


def forge(statement: str) -> None:
    with as_owner() as owner:
        go_past_triggers(owner)
        owner.execute(statement)


def path_of(settings, sha256: str):
    return settings.MEDIA_ROOT / sha256[:2] / sha256


@COMMITS
def test_an_executed_pack_and_its_files(pack, settings):
    assert problems("packs") == problems("files") == ""
    document = Document.objects.filter(revision=pack.revision).first()

    path_of(settings, document.sealed_sha256).unlink()
    assert f"{document.sealed_sha256} is missing." in problems("files")
    assert problems("packs") == ""  # the zip has its own copy

    forge(
        f"UPDATE agreements_document SET sealed_sha256 = unsigned_sha256 WHERE id = {document.pk}"
    )
    assert "a document names another file than its seal" in problems("packs")


@COMMITS
def test_a_pack_with_other_files_than_its_seal(pack, settings):
    forge("DELETE FROM agreements_executedfile WHERE name = 'offer.json'")
    assert "does not list the same files as its seal" in problems("packs")


@COMMITS
def test_a_pack_with_a_changed_zip(pack, settings):
    path = path_of(settings, pack.bundle_sha256)
    path.write_bytes(path.read_bytes().replace(b"%PDF-1.7", b"%PDF-1.6"))
    assert "the list of its files is missing" in problems("packs")


@COMMITS
def test_a_pack_under_a_seal_of_others(pack, settings, tmp_path):
    settings.SEAL_ROOT_FILE = str(tmp_path / "root.pem")
    assert "The roots that we trust cannot be read" in problems("packs")


@COMMITS
def test_balances():
    world.a_grant()
    assert problems("balances") == ""
    balance = Balance.objects.first()
    forge(f"UPDATE sandbox_balance SET available = available + 1 WHERE id = {balance.pk}")
    assert f"The balance {balance.public_id} does not match its ledger." in problems("balances")


def test_a_name_that_is_none():
    with pytest.raises(CommandError, match="There is no disks: choose of log, files"):
        call_command("verify", "disks")
