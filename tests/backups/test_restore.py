"""A backup made while others write is restored elsewhere, and everything in it is verified."""

import json
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test import Client

from agreements.lifecycle import PackStatus
from agreements.models import Pack
from console.accounts.actors import SYSTEM
from console.audit import heads, log
from console.audit.heads import Channel
from console.audit.models import Entry
from console.core import blobs
from tests import factories
from tests.audit.test_log import tamper
from tests.backups.elsewhere import Elsewhere, opened
from tests.proofs import Proven, proof

pytestmark = pytest.mark.check

COMMITS = pytest.mark.django_db(transaction=True)
MOST_SECONDS = 15 * 60
BECAUSE = ("--because", "The disk failed.")


@pytest.fixture(autouse=True)
def _own_store(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "blobs"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Elsewhere]:
    with opened(tmp_path) as there:
        yield there


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "backups" / "today"


def executed(count: int) -> None:
    """Take copies of executed packs. Their published heads are not in this folder's file."""
    for number in range(count):
        factories.packs.a_pack(
            PackStatus.EXECUTED, tier="HIGH" if number == count - 1 > 0 else "LOW"
        )
    tamper("DELETE FROM audit_published_head")
    heads.publish(Channel.NIGHTLY, about="2026-11-22", by=SYSTEM, head=heads.anchor())


@contextmanager
def writing() -> Iterator[None]:
    """Write entries and publish heads in a thread, until the end of the block."""
    business, stop = factories.a_business(), threading.Event()

    def write() -> None:
        try:
            for number in range(1_000_000):
                with transaction.atomic():
                    log.record("business.renamed", business, by=SYSTEM, after={"n": number})
                if number % 20 == 0:
                    heads.publish(
                        Channel.BUNDLE, about=f"AGR-{number}", by=SYSTEM, head=heads.anchor()
                    )
                if stop.wait(0.01):
                    return
        finally:
            connection.close()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield
    finally:
        stop.set()
        writer.join()


def entries() -> set[str]:
    return set(Entry.objects.values_list("public_id", flat=True))


@COMMITS
@proof("R30", "backup and restore with executed packs, while others write", small=1, full=4)
def test_everything_committed_before_the_backup_is_restored(
    proven: Proven, folder: Path, elsewhere: Elsewhere
) -> None:
    executed(proven.size)
    began = time.monotonic()
    with writing():
        while Entry.objects.filter(code="business.renamed").count() < 5:
            time.sleep(0.01)
        before, packs = entries(), set(Pack.objects.values_list("number", flat=True))
        call_command("backup", str(folder))
    done = elsewhere.manage("restore", str(folder), *BECAUSE)
    seconds = time.monotonic() - began

    there = {row[0] for row in elsewhere.rows("SELECT public_id FROM audit_entry")}
    restored = elsewhere.rows("SELECT number FROM agreements_pack WHERE status = 'executed'")
    lost = [*(before - there), *(packs - {row[0] for row in restored})]
    figure = f"{seconds:.0f} s, {len(packs)} packs, {len(lost)} rows lost, exit {done.returncode}"
    whole = done.returncode == 0 and f"Packs: {len(packs)} of {len(packs)}" in done.stdout
    met = whole and not lost and len(packs) == proven.size and seconds < MOST_SECONDS
    proven.reached(figure, met=met, wrong=[done.stdout, done.stderr])


@COMMITS
def test_it_is_closed_to_others_and_its_secrets_stay_encrypted(folder: Path, settings) -> None:
    blobs.put(b"a document")
    call_command("backup", str(folder))
    paths = list(folder.rglob("*"))
    assert {path.stat().st_mode & 0o777 for path in paths if path.is_file()} == {0o600}
    assert {path.stat().st_mode & 0o777 for path in [folder, *paths] if path.is_dir()} == {0o700}
    assert any(path.name == "seal.key" for path in paths)
    assert not [path for path in paths if path.is_file() and b"PRIVATE KEY" in path.read_bytes()]
    said = json.loads((folder / "manifest.json").read_bytes())["body"]
    assert list(said["keys"]) == ["KEY_PEPPER", "VAULT_KEYS"]
    assert (
        connection.settings_dict["PASSWORD"].encode() not in (folder / "manifest.json").read_bytes()
    )
    with pytest.raises(CommandError, match="is not empty"):
        call_command("backup", str(folder))


@COMMITS
def test_privileges_are_set_again_and_everybody_is_signed_out(
    folder: Path, elsewhere: Elsewhere
) -> None:
    factories.signed_in(Client(), factories.a_person())
    call_command("backup", str(folder))
    assert elsewhere.manage("restore", str(folder), *BECAUSE).returncode == 0
    assert elsewhere.rows("SELECT public_id FROM accounts_session") == []
    may = "SELECT has_database_privilege('site', current_database(), 'TEMPORARY')"
    assert elsewhere.rows(may) == [(False,)]
    # The same folder cannot be restored over it.
    again = elsewhere.manage("restore", str(folder), *BECAUSE)
    assert "The database is not empty" in again.stderr


@COMMITS
def test_heads_published_after_the_backup_must_be_accepted(
    folder: Path, elsewhere: Elsewhere, settings
) -> None:
    """The store is where it was, and has heads that the restored database lost."""
    business = factories.a_business()
    call_command("backup", str(folder))
    with transaction.atomic():
        log.record("business.renamed", business, by=SYSTEM)
    heads.publish(Channel.NIGHTLY, about="2026-11-22", by=SYSTEM, head=heads.anchor())
    shutil.copytree(settings.MEDIA_ROOT, elsewhere.data / "blobs")

    done = elsewhere.manage("restore", str(folder), *BECAUSE)
    assert done.returncode == 1
    assert "1 heads of the audit log were published later than its last entry, 2" in done.stderr
    assert "published entries are gone" in elsewhere.manage("verify", "log").stderr

    assert elsewhere.manage("accept_restore", "--count", "2", *BECAUSE).returncode == 0
    assert elsewhere.manage("verify").returncode == 0
    said = elsewhere.manage("audit", "verify")
    assert said.returncode == 0
    assert "because: The disk failed. 1 later published heads were lost." in said.stdout
