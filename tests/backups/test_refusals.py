"""A backup that is damaged or does not fit is refused before anything is written."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from agreements.lifecycle import PackStatus
from console.backups import document_store, postgres_programs, restoring
from console.backups.backup_set import BackupSet, SetRefused
from console.core import blobs
from console.launch.postgres import OWNER
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def made(settings, tmp_path: Path) -> BackupSet:
    """A small backup with one document."""
    settings.MEDIA_ROOT = tmp_path / "blobs"
    blobs.put(b"a document")
    call_command("backup", str(tmp_path / "made"))
    return BackupSet(tmp_path / "made")


def refused(made: BackupSet) -> str:
    with pytest.raises(SetRefused) as refusal:
        restoring.check(made, len)
    return str(refusal.value)


def changed(made: BackupSet, **changes: Any) -> None:
    """Write another manifest, as if the backup had been made so."""
    manifest = replace(made.manifest(), **changes)
    for name in ("manifest.json", "manifest.mac"):
        (made.folder / name).unlink()
    made.finish(manifest)


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def test_a_whole_one_is_accepted(made):
    assert restoring.check(made, len).count == made.manifest().count


@pytest.mark.parametrize("pattern", ["database.dump", "documents/*/*", "seals/*/seal.key"])
def test_one_changed_bit(made, pattern):
    flip(next(made.folder.glob(pattern)))
    assert refused(made).startswith("1 files of this backup are damaged: ")


def test_a_missing_and_an_added_file(made):
    next(made.folder.glob("documents/*/*")).unlink()
    made.add("documents/more", b"")
    assert refused(made).startswith("2 files of this backup are damaged: documents/")


def test_a_changed_manifest(made):
    flip(made.folder / "manifest.json")
    assert "manifest.json was changed" in refused(made)


def test_one_that_was_not_finished(made):
    (made.folder / "manifest.json").unlink()
    assert "is not a complete backup" in refused(made)


@pytest.mark.parametrize("code", [b"", b"none", b"\xff:"])
def test_a_code_that_is_none(made, code):
    (made.folder / "manifest.mac").write_bytes(code)
    assert refused(made) == "manifest.mac is empty or was changed."


def test_other_keys(made, settings):
    own, settings.VAULT_KEYS = settings.VAULT_KEYS, {1: bytes(32)}
    assert "key 1 of VAULT_KEYS is not the one" in refused(made)
    settings.VAULT_KEYS = {2: bytes(32)}
    assert refused(made) == "VAULT_KEYS lacks key 1, with which this backup was made."
    settings.VAULT_KEYS, settings.KEY_PEPPERS = {2: bytes(32)} | own, {1: bytes(32)}
    assert refused(made) == "The settings lack key 1 of KEY_PEPPER, which this backup needs."


def test_another_version_of_the_tables(made):
    known = made.manifest().migrations
    changed(made, migrations=[*known, "audit.0999_newer"])
    assert "whose tables are newer (audit.0999_newer)" in refused(made)
    changed(made, migrations=known[1:])
    assert f"whose tables are older (no {known[0]})" in refused(made)


def test_a_database_that_is_not_empty(made, settings):
    at = connection.settings_dict
    url = f"postgres://{OWNER}:{at['PASSWORD']}@/{at['NAME']}?host={at['HOST']}"
    settings.DATABASE_OWNER_URL = url
    with pytest.raises(SetRefused, match="The database is not empty"):
        restoring.restore(made, made.manifest(), len)


def test_without_the_owner(made):
    with pytest.raises(SetRefused, match="DATABASE_OWNER_URL is missing"):
        restoring.restore(made, made.manifest(), len)


def test_a_damaged_document_is_named_and_does_not_stop_the_backup(made, settings, tmp_path):
    sha256 = blobs.put(b"another")
    flip(settings.MEDIA_ROOT / sha256[:2] / sha256)
    with pytest.raises(CommandError, match=f"{sha256} is not what was stored"):
        call_command("backup", str(tmp_path / "again"))
    restoring.check(BackupSet(tmp_path / "again"), len)


def test_a_store_without_a_file_that_rows_name(settings, tmp_path):
    """As if DOCUMENT_STORE named another store than the console's."""
    settings.MEDIA_ROOT = tmp_path / "blobs"
    pack = factories.packs.a_pack(PackStatus.EXECUTED)
    sha256 = pack.bundle_sha256
    (settings.MEDIA_ROOT / sha256[:2] / sha256).unlink()
    with pytest.raises(CommandError, match=f"{sha256} is missing"):
        call_command("backup", str(tmp_path / "made"))
    restoring.check(BackupSet(tmp_path / "made"), len)


def test_files_of_checks_of_the_store_are_left_out(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "blobs"
    for folder in ("checks", "audit/checks"):
        blobs.write_once(f"{folder}/one", b"first")
    assert list(document_store.names()) == ["audit/checks/one"]


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(CommandError, match="Not a directory"):
        call_command("backup", str(tmp_path / "file" / "made"))


def test_programs_that_are_older_than_the_server():
    with pytest.raises(postgres_programs.ProgramFailed, match="Install `postgresql-client-99`"):
        postgres_programs.program("pg_dump", 99)
