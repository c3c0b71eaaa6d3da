"""Published heads: stored twice, immutable, and proof against truncation and rewriting."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, IntegrityError, connection, transaction

from console.accounts.actors import SYSTEM
from console.audit import heads, restores
from console.audit.heads import Channel
from console.audit.models import Entry, PublishedHead
from console.core import blobs
from console.core.digests import sha256_hex
from tests.audit.test_log import tamper, write
from tests.databases import as_owner

COMMITS = pytest.mark.django_db(transaction=True)


@pytest.fixture
def folder(settings, tmp_path):
    """A document store for the test, and its folder of published heads."""
    settings.MEDIA_ROOT = tmp_path
    return tmp_path / heads.RECORDS.name


def files_in(folder):
    return sorted(folder.glob("*")) if folder.exists() else []


def findings():
    return [str(finding) for finding in heads.compare().findings]


@COMMITS
def test_a_head_is_kept_as_a_row_and_as_a_record(folder):
    write(3)
    end = heads.anchor()
    row = heads.publish(Channel.NIGHTLY, about="2026-11-22", by=SYSTEM, head=heads.anchor())

    (file,) = files_in(folder)
    said = json.loads(file.read_bytes())
    assert (said["count"], said["hash"]) == (row.count, row.hash) == (end.count, end.hash)
    assert (said["channel"], said["about"]) == ("nightly", "2026-11-22")
    assert file.name == f"{row.at:%Y%m%dT%H%M%SZ}-{sha256_hex(file.read_bytes())}.json"
    assert file.stat().st_mode & 0o777 == 0o600
    assert Entry.objects.get(code="audit.head_published").subject_id == row.public_id
    assert findings() == []


@COMMITS
def test_one_day_is_published_once(folder):
    first = heads.publish(Channel.NIGHTLY, about="2026-11-22", by=SYSTEM, head=heads.anchor())
    write(1)
    again = heads.publish(Channel.NIGHTLY, about="2026-11-22", by=SYSTEM, head=heads.anchor())
    assert again == first
    heads.publish(Channel.BUNDLE, about="AGR-2026-000001", by=SYSTEM, head=heads.anchor())
    assert len(files_in(folder)) == PublishedHead.objects.count() == 2


@COMMITS
def test_the_head_of_a_bundle_is_the_one_that_stands_in_it(folder):
    write(2)
    then = heads.anchor()
    write(2)
    row = heads.publish(Channel.BUNDLE, about="AGR-2026-000001", by=SYSTEM, head=then)
    assert (row.count, row.hash) == (then.count, then.hash)


@COMMITS
def test_the_database_refuses_a_head_that_never_was(folder):
    write(2)
    never = heads.Anchor(2, "f" * 64)
    with pytest.raises(IntegrityError, match="never ended there"):
        heads.publish(Channel.BUNDLE, about="AGR-2026-000001", by=SYSTEM, head=never)


@COMMITS
def test_what_was_published_never_changes(folder):
    heads.publish(Channel.NIGHTLY, about="2026-11-22", by=SYSTEM, head=heads.anchor())
    heads.keep_check(heads.compare())
    for table in ("audit_published_head", "audit_chain_check"):
        for statement in (f"UPDATE {table} SET at = now()", f"DELETE FROM {table}"):
            with connection.cursor() as cursor, pytest.raises(DatabaseError, match="permission"):
                cursor.execute(statement)
            with as_owner() as owner, pytest.raises(Exception, match="rows never change"):
                owner.execute(statement)


CUT = (
    "DELETE FROM audit_entry WHERE id IN (SELECT entry_id FROM audit_link WHERE seq > 3)",
    "DELETE FROM audit_link WHERE seq > 3",
    "UPDATE audit_head SET count = 3, hash = (SELECT hash FROM audit_link WHERE seq = 3)",
)
GONE = "DELETE FROM audit_published_head"


@COMMITS
@pytest.mark.parametrize("attack", ["the rows stay", "the rows go", "the record goes"])
def test_a_cut_tail_shows(folder, attack):
    write(3)
    heads.publish(Channel.NIGHTLY, about="2026-11-22", by=SYSTEM, head=heads.anchor())
    assert findings() == []
    tamper(*CUT, *([GONE] if attack == "the rows go" else []))
    if attack == "the record goes":
        files_in(folder)[0].unlink()
    found = "; ".join(findings())
    assert "2 published entries are gone" in found
    assert ("1 published heads are not in" in found) == (attack == "the record goes")


@COMMITS
def test_a_chain_that_was_written_anew_shows_and_so_do_all_heads_at_once(folder):
    write(2)
    heads.publish(Channel.NIGHTLY, about="2026-11-21", by=SYSTEM, head=heads.anchor())
    write(2)
    heads.publish(Channel.NIGHTLY, about="2026-11-22", by=SYSTEM, head=heads.anchor())
    tamper(
        "DELETE FROM audit_link",
        "DELETE FROM audit_unlinked",
        "DELETE FROM audit_entry",
        "UPDATE audit_head SET count = 0, hash = repeat('0', 64)",
    )
    write(20)
    found = findings()
    assert sum("differs from the head" in one for one in found) == 2
    with pytest.raises(CommandError, match="broken: 2 findings"):
        call_command("audit", "verify")


@COMMITS
def test_a_record_that_is_gone_or_cannot_be_read_shows(folder):
    write(1)
    heads.publish(Channel.NIGHTLY, about="2026-11-21", by=SYSTEM, head=heads.anchor())
    (first,) = files_in(folder)
    write(1)
    heads.publish(Channel.NIGHTLY, about="2026-11-22", by=SYSTEM, head=heads.anchor())
    data = first.read_bytes()
    changed = data.replace(b"2026-11-21", b"2026-11-20")
    gone = "1 published heads are not in audit/heads"
    for nonsense in (changed, data[:-9], b"", b"nonsense", b'{"chain":"main"}', b"[]", b"\xff"):
        first.write_bytes(nonsense)
        assert findings() == [f"{first.name} in audit/heads cannot be read", gone]
    first.unlink()
    assert findings() == [gone]
    first.write_bytes(data)
    assert findings() == []
    stray = folder / first.name.replace("2026", "2025")
    stray.write_bytes(data)
    assert findings() == [f"{stray.name} in audit/heads cannot be read"]


@COMMITS
def test_an_unfinished_record_is_no_finding(folder):
    write(1)
    heads.publish(Channel.NIGHTLY, about="2026-11-21", by=SYSTEM, head=heads.anchor())
    (folder / ".new-of-a-power-cut").write_bytes(b'{"chain":"main","count":7')
    assert findings() == []


@COMMITS
def test_a_record_is_never_overwritten(folder):
    write(1)
    row = heads.publish(Channel.NIGHTLY, about="2026-11-21", by=SYSTEM, head=heads.anchor())
    (file,) = files_in(folder)
    said = json.loads(file.read_bytes())
    heads.RECORDS.add(said)
    file.write_bytes(b"other")
    with pytest.raises(blobs.BlobDamaged):
        heads.RECORDS.add(said)
    assert (file.read_bytes(), row.about) == (b"other", "2026-11-21")


@COMMITS
def test_what_is_taken_back_was_true_all_the_same(folder):
    """The record is written first, so a change that fails leaves a record and no row."""
    write(1)
    with pytest.raises(ZeroDivisionError), transaction.atomic():  # noqa: PT012
        heads.publish(Channel.BUNDLE, about="AGR-2026-000001", by=SYSTEM, head=heads.anchor())
        1 / 0  # noqa: B018
    assert PublishedHead.objects.count() == 0
    assert len(heads.known().anchors) == 1
    assert findings() == []


@COMMITS
def test_an_empty_log_and_an_absent_folder_are_no_finding(folder):
    assert findings() == []
    heads.publish(Channel.NIGHTLY, about="2026-11-22", by=SYSTEM, head=heads.anchor())
    assert findings() == []


# Restores ----------------------------------------------------------------------------------------


def restored(count):
    """Cut the log as a restore of an older backup does."""
    tamper(
        "DELETE FROM audit_published_head",
        "DELETE FROM audit_entry WHERE id IN (SELECT entry_id FROM audit_unlinked)",
        "DELETE FROM audit_unlinked",
        "DELETE FROM audit_entry WHERE id IN"
        f" (SELECT entry_id FROM audit_link WHERE seq > {count})",
        f"DELETE FROM audit_link WHERE seq > {count}",
        f"UPDATE audit_head SET count = {count},"
        f" hash = (SELECT hash FROM audit_link WHERE seq = {count})",
    )


def accept(**changes):
    return heads.accept_restore(because="The disk failed.", by=SYSTEM, **changes)


@COMMITS
def test_a_restore_is_accepted_with_a_reason_and_told_from_then_on(folder, capsys):
    write(3)
    heads.publish(Channel.NIGHTLY, about="2026-11-22", by=SYSTEM, head=heads.anchor())
    restored(3)
    assert findings() == ["Entry 3: 2 published entries are gone"]

    assert accept().lost == [[5, heads.RECORDS.all()[0][0]["hash"]]]
    assert Entry.objects.get(code="audit.restored")
    write(6)  # other entries take the numbers of the lost ones
    assert findings() == []
    call_command("audit", "verify")
    said = "because: The disk failed. 1 later published heads were lost."
    assert said in capsys.readouterr().out


@COMMITS
def test_a_restore_accepted_later_names_the_last_entry_that_was_restored(folder):
    write(3)
    heads.publish(Channel.NIGHTLY, about="2026-11-22", by=SYSTEM, head=heads.anchor())
    restored(3)
    write(6)
    with pytest.raises(heads.NotRestored, match="published at entry 5"):
        accept()
    accept(count=3)
    assert findings() == []


@COMMITS
def test_no_restore_explains_a_change_before_its_last_entry(folder):
    write(3)
    heads.publish(Channel.NIGHTLY, about="2026-11-22", by=SYSTEM, head=heads.anchor())
    heads.publish(Channel.NIGHTLY, about="2026-11-23", by=SYSTEM, head=heads.anchor())
    tamper(f"UPDATE audit_link SET hash = '{'f' * 64}' WHERE seq = 5")
    with pytest.raises(heads.NotRestored):
        accept(count=5)


@COMMITS
@pytest.mark.parametrize("without", ["its entry", "its record"])
def test_neither_an_entry_nor_a_record_alone_accepts_a_restore(folder, without, settings):
    write(3)
    heads.publish(Channel.NIGHTLY, about="2026-11-22", by=SYSTEM, head=heads.anchor())
    restored(3)
    if without == "its entry":
        with pytest.raises(ZeroDivisionError), transaction.atomic():  # noqa: PT012
            accept()
            1 / 0  # noqa: B018
    else:
        accept()
        (record,) = (settings.MEDIA_ROOT / restores.RECORDS.name).iterdir()
        record.unlink()
    assert len(findings()) == 1
