"""Published heads: stored twice, immutable, and proof against truncation and rewriting."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, IntegrityError, connection, transaction

from console.accounts.actors import SYSTEM
from console.audit import heads
from console.audit.heads import Channel
from console.audit.models import Entry, PublishedHead
from tests.audit.test_log import tamper, write
from tests.databases import as_owner

COMMITS = pytest.mark.django_db(transaction=True)


@pytest.fixture
def file(settings, tmp_path):
    """A data folder for the test, and its file of published heads."""
    settings.DATA_DIR = tmp_path
    return heads.FILE.path


def findings():
    return [str(finding) for finding in heads.compare().findings]


@COMMITS
def test_a_head_is_kept_as_a_row_and_as_a_line(file):
    write(3)
    end = heads.anchor()
    row = heads.publish(Channel.NIGHTLY, about="2026-11-22", by=SYSTEM)

    (line,) = file.read_text().splitlines()
    said = json.loads(line)
    assert (said["count"], said["hash"]) == (row.count, row.hash) == (end.count, end.hash)
    assert (said["channel"], said["about"]) == ("nightly", "2026-11-22")
    assert file.stat().st_mode & 0o777 == 0o600
    assert Entry.objects.get(code="audit.head_published").subject_id == row.public_id
    assert findings() == []


@COMMITS
def test_one_day_is_published_once(file):
    first = heads.publish(Channel.NIGHTLY, about="2026-11-22", by=SYSTEM)
    write(1)
    again = heads.publish(Channel.NIGHTLY, about="2026-11-22", by=SYSTEM)
    assert again == first
    heads.publish(Channel.BUNDLE, about="AGR-2026-000001", by=SYSTEM)
    assert len(file.read_text().splitlines()) == PublishedHead.objects.count() == 2


@COMMITS
def test_the_head_of_a_bundle_is_the_one_that_stands_in_it(file):
    write(2)
    then = heads.anchor()
    write(2)
    row = heads.publish(Channel.BUNDLE, about="AGR-2026-000001", by=SYSTEM, head=then)
    assert (row.count, row.hash) == (then.count, then.hash)


@COMMITS
def test_the_database_refuses_a_head_that_never_was(file):
    write(2)
    never = heads.Anchor(2, "f" * 64)
    with pytest.raises(IntegrityError, match="never ended there"):
        heads.publish(Channel.BUNDLE, about="AGR-2026-000001", by=SYSTEM, head=never)


@COMMITS
@pytest.mark.parametrize("table", ["audit_published_head", "audit_chain_check"])
@pytest.mark.parametrize("statement", ["UPDATE {} SET at = now()", "DELETE FROM {}"])
def test_what_was_published_never_changes(file, table, statement):
    heads.publish(Channel.NIGHTLY, about="2026-11-22", by=SYSTEM)
    heads.keep_check(heads.compare())
    with connection.cursor() as cursor, pytest.raises(DatabaseError, match="permission denied"):
        cursor.execute(statement.format(table))
    with as_owner() as owner, pytest.raises(Exception, match="rows never change"):
        owner.execute(statement.format(table))


CUT = (
    "DELETE FROM audit_entry WHERE id IN (SELECT entry_id FROM audit_link WHERE seq > 3)",
    "DELETE FROM audit_link WHERE seq > 3",
    "UPDATE audit_head SET count = 3, hash = (SELECT hash FROM audit_link WHERE seq = 3)",
)
GONE = "DELETE FROM audit_published_head"


@COMMITS
@pytest.mark.parametrize("attack", ["the rows stay", "the rows go", "the file goes"])
def test_a_cut_tail_shows(file, attack):
    write(4)
    heads.publish(Channel.NIGHTLY, about="2026-11-22", by=SYSTEM)
    assert findings() == []
    tamper(*CUT, *([GONE] if attack == "the rows go" else []))
    if attack == "the file goes":
        file.unlink()
    found = "; ".join(findings())
    assert "2 published entries are gone" in found
    assert ("1 published heads are not in" in found) == (attack == "the file goes")


@COMMITS
def test_a_chain_that_was_written_anew_shows_and_so_do_all_heads_at_once(file):
    write(2)
    heads.publish(Channel.NIGHTLY, about="2026-11-21", by=SYSTEM)
    write(2)
    heads.publish(Channel.NIGHTLY, about="2026-11-22", by=SYSTEM)
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
def test_a_file_that_shrank_shows(file):
    write(1)
    heads.publish(Channel.NIGHTLY, about="2026-11-21", by=SYSTEM)
    write(1)
    heads.publish(Channel.NIGHTLY, about="2026-11-22", by=SYSTEM)
    lines = file.read_text().splitlines(keepends=True)
    file.write_text(lines[1])
    assert findings() == ["1 published heads are not in audit-heads.jsonl"]
    for nonsense in ("nonsense", '{"chain":"main"}', '{"chain":"main","count":"many"}', "[]"):
        file.write_text("".join([*lines, nonsense, "\n"]))
        assert findings() == ["line 3 of audit-heads.jsonl cannot be read"]


@COMMITS
def test_a_line_that_a_power_cut_broke_off_is_no_finding_and_spoils_no_other(file):
    write(1)
    heads.publish(Channel.NIGHTLY, about="2026-11-21", by=SYSTEM)
    with file.open("ab") as broken:
        broken.write(b'{"chain":"main","count":7')
    assert findings() == []
    write(1)
    row = heads.publish(Channel.NIGHTLY, about="2026-11-22", by=SYSTEM)
    assert findings() == []
    assert json.loads(file.read_text().splitlines()[-1])["hash"] == row.hash


@COMMITS
def test_what_is_taken_back_was_true_all_the_same(file):
    """The line is written first, so a change that fails leaves a line and no row."""
    write(1)
    with pytest.raises(ZeroDivisionError), transaction.atomic():  # noqa: PT012
        heads.publish(Channel.BUNDLE, about="AGR-2026-000001", by=SYSTEM)
        1 / 0  # noqa: B018
    assert PublishedHead.objects.count() == 0
    assert len(heads.known().anchors) == 1
    assert findings() == []


@COMMITS
def test_an_empty_log_and_an_absent_file_are_no_finding(file):
    assert findings() == []
    heads.publish(Channel.NIGHTLY, about="2026-11-22", by=SYSTEM)
    assert findings() == []
