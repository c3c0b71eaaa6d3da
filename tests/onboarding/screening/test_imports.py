"""A list is imported whole or not at all, and a file that cannot replace it is refused."""

import gzip
import os
import time
import zipfile
from functools import partial

import pytest
from django.core.management import CommandError

from console.audit.models import Entry
from onboarding.screening import imports, lists
from onboarding.screening.models import ListEntry, ListVersion
from tests.onboarding.screening import files
from tests.onboarding.screening.commands import screening
from tests.proofs import Proven, proof

pytestmark = pytest.mark.django_db(transaction=True)
BOMB = """<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>"""


def rows() -> dict[str, int | str]:
    """Return the current entries by their number."""
    return dict(ListEntry.objects.current().values_list("uid", "pk"))


def refused(kind, path, match, *words):
    """Import a file that is refused, and check that nothing but the refusal was written."""
    before = rows(), ListVersion.objects.in_force().first()
    with pytest.raises(CommandError, match=match):
        screening("import", kind, path, *words)
    assert (rows(), ListVersion.objects.in_force().first()) == before
    assert len(lists.concerns()) == 1


def test_the_same_file_twice_changes_nothing(tmp_path):
    path = files.written(tmp_path / "un.xml", files.un(["Ana", "Bo"]))
    screening("import", "un", path)
    before = rows(), ListEntry.objects.count(), Entry.objects.count()

    assert "2 entries" in screening("import", "un", path)

    assert (rows(), ListEntry.objects.count(), Entry.objects.count()) == before
    assert ListVersion.objects.count() == 1


def test_a_new_version_keeps_what_is_the_same_and_marks_what_changed(tmp_path):
    names = files.many(40)
    screening("import", "un", files.written(tmp_path / "1.xml", files.un(names)))
    before = rows()
    changed = files.un([*names[1:], "Newcomer"], date="2026-11-02").replace(
        "<FIRST_NAME>Gorvan5</FIRST_NAME>", "<FIRST_NAME>Gorvon5</FIRST_NAME>"
    )
    screening("import", "un", files.written(tmp_path / "2.xml", changed))

    first, second = ListVersion.objects.order_by("pk")
    assert first.superseded_at is not None
    assert (second.entry_count, second.name_count) == (40, 40)
    after = rows()
    assert after.keys() - before.keys() == {"u-Newcomer"}
    assert before.keys() - after.keys() == {"u-Gorvan0"}
    same = [uid for uid in after if before.get(uid) == after[uid]]
    assert len(same) == 38
    added = {one.name for one in second.added_entries.all()}
    assert added == {"Newcomer Listed", "Gorvon5 Listed"}
    assert {one.uid for one in second.removed_entries.all()} == {"u-Gorvan0", "u-Gorvan5"}


@pytest.mark.parametrize(
    ("text", "match"),
    [
        (files.un(files.many(5), date="2026-11-02")[:-40], "not well-formed"),
        (files.un([], date="2026-11-02"), "no entry"),
        (files.un(["Ana", "Ana"], date="2026-11-02"), "no number of its own"),
        (files.un([""], date="2026-11-02").replace("Listed", ""), "has no name"),
        (files.un(files.many(37), date="2026-11-02"), "lacks 3 of the 40"),
        (files.un(files.many(41), date="2026-10-31"), "before the version in force"),
        ("<html><body>Maintenance</body></html>", "begins with <html>"),
        ("", "not well-formed"),
        (BOMB + files.un(["&b;"])[55:], "declares a document type"),
    ],
)
def test_a_file_that_is_damaged_or_lost_entries_is_refused(tmp_path, text, match):
    path = files.written(tmp_path / "1.xml", files.un(files.many(40)))
    screening("import", "un", path)
    path = files.written(tmp_path / "2.xml", text)

    refused("un", path, match)
    refused("un", path, match)  # is told once

    assert ListVersion.objects.exclude(refused_because="").count() == 1
    assert Entry.objects.filter(code="sanctions_list.refused").count() == 1


def test_staff_may_accept_that_a_list_is_shorter(tmp_path):
    screening("import", "un", files.written(tmp_path / "1.xml", files.un(files.many(40))))
    path = files.written(tmp_path / "2.xml", files.un(files.many(20), date="2026-11-02"))
    refused("un", path, "accept-loss")

    screening("import", "un", path, "--accept-loss")

    assert len(rows()) == 20
    assert lists.concerns() == []


@pytest.mark.parametrize(
    ("sdn", "match"),
    [
        ('36,"LISTED, Gor', "not complete"),
        ('36,"LISTED, Gor",individual,"TEST"\r\n', "4 fields"),
        ('36,"X",ghost,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \r\n', "the type “ghost”"),
    ],
)
def test_a_damaged_line_of_ofac_is_refused(tmp_path, sdn, match):
    refused("ofac", files.ofac(tmp_path, sdn), match)


def test_ofac_needs_its_three_files(tmp_path):
    main = files.ofac(tmp_path, "")
    (tmp_path / "alt.csv").unlink()
    refused("ofac", main, "alt.csv is missing")


@pytest.mark.parametrize(
    ("kind", "text", "match"),
    [
        ("uk", files.UK_CSV[:-30], "fields instead of"),
        ("uk", "a,b\n1,2\n", "no column “Unique ID”"),
        ("opensanctions", files.OPENSANCTIONS[:-40], "too few"),
        ("opensanctions", "id,name\n1,2\n", "no column"),
        ("eu", files.EU.replace('code="person"', ""), "has no type"),
    ],
)
def test_other_damaged_files_are_refused(tmp_path, kind, text, match):
    refused(kind, files.written(tmp_path / "list", text), match)


def test_a_file_may_not_be_larger_than_the_limit(tmp_path, settings):
    settings.SCREENING_LIST_MB = 1
    packed = files.zipped(tmp_path / "un.xml.gz", files.un(files.many(8000)))
    assert packed.stat().st_size < 1024**2
    refused("un", packed, "larger than 1 MB")


@pytest.mark.parametrize("packing", ["zip", "gz", "plain"])
def test_the_files_of_a_list_together_may_not_be_larger_than_the_limit(tmp_path, settings, packing):
    settings.SCREENING_LIST_MB = 1
    third, given = b" " * (400 * 1024), tmp_path / "sdn.zip"
    if packing == "zip":
        with zipfile.ZipFile(given, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in ("sdn.csv", "alt.csv", "add.csv"):
                archive.writestr(name, third)
    else:
        for name in ("sdn", "alt", "add"):
            ending, data = (".gz", gzip.compress(third)) if packing == "gz" else ("", third)
            (tmp_path / f"{name}.csv{ending}").write_bytes(data)
        given = tmp_path
    refused("ofac", given, "larger than 1 MB")


def test_an_archive_of_very_many_files_is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "un.zip", "w") as archive:
        for number in range(21):
            archive.writestr(f"{number}.xml", b"")
    refused("un", tmp_path / "un.zip", "contains 21 files")


@pytest.mark.parametrize(
    ("more", "match"),
    [
        (f'<A b="{"x" * 2**20}"/>', "tag or comment of over"),
        ("<A " + " ".join(f"b{n}='1'" for n in range(100_000)) + "/>", "tag or comment of over"),
        (f"<!-- {'x' * 2**20} -->", "tag or comment of over"),
        (f"<?a {'x' * 2**20}?>", "tag or comment of over"),
        (f"<A>{'x' * 9 * 2**20}</A>", "element of over"),
        (f"<A><![CDATA[{'x' * 9 * 2**20}]]></A>", "element of over"),
        ("<A>" * 101, "nests over 100 elements"),
        (f'<A b="{"x" * 400_000}"/>' * 25, "element of over"),
    ],
    ids=["attribute", "attributes", "comment", "instruction", "text", "data", "depth", "elements"],
)
def test_an_enormous_part_of_xml_is_refused(tmp_path, more, match):
    refused("un", files.written(tmp_path / "un.xml", files.un(["Gorvan"], more=more)), match)


@pytest.mark.parametrize("kind", ["uk", "opensanctions", "ofac"])
def test_an_enormous_line_is_refused(tmp_path, kind):
    text = "," * (5 * 2**20)
    make = {"ofac": partial(files.ofac, tmp_path)}
    path = make.get(kind, partial(files.written, tmp_path / "list"))(text)
    refused(kind, path, "line of over 4 MB")


def test_a_path_without_a_list_is_an_error_of_the_command(tmp_path):
    with pytest.raises(CommandError, match="no file of this list"):
        screening("import", "un", tmp_path / "nowhere.xml")
    assert not ListVersion.objects.exists()


@pytest.mark.parametrize("path", ["/proc/self/mem", "x" * 300], ids=["no file", "a long name"])
def test_a_file_that_cannot_be_read_is_an_error_of_the_command(path):
    with pytest.raises(CommandError, match="cannot be read"):
        screening("import", "un", path)
    assert not ListVersion.objects.exists()


def test_a_killed_import_leaves_the_old_version_in_force(tmp_path):
    screening("import", "un", files.written(tmp_path / "1.xml", files.un(files.many(40))))
    before = rows()
    path = files.written(tmp_path / "2.xml", files.un(files.many(1200), date="2026-11-02"))
    if (child := os.fork()) == 0:
        die_at_the_third_batch(path)
    _, status = os.waitpid(child, 0)

    assert os.WEXITSTATUS(status) == 9
    assert rows() == before
    assert ListVersion.objects.count() == 1
    screening("import", "un", path)
    assert len(rows()) == 1200


def die_at_the_third_batch(path):
    """End this process inside the import, without any clean-up."""
    from django.db import connection

    connection.connection = None  # the parent's
    connection.ensure_connection()
    write, calls = imports._write, iter(range(10))

    def last(*words):
        write(*words)
        if next(calls) == 1:
            os._exit(9)

    imports._write = last
    screening("import", "un", path)
    os._exit(0)


@proof(
    "screening", "import of the real OFAC and UN lists", asked="< 2 minutes, twice changes nothing"
)
def test_the_real_lists_are_imported_within_two_minutes(proven: Proven):
    began = time.monotonic()
    screening("import", "ofac", files.REAL)
    screening("import", "un", files.REAL / "UN_consolidated.xml.gz")
    seconds, before = time.monotonic() - began, rows()
    screening("import", "ofac", files.REAL)

    names = sum(ListVersion.objects.values_list("name_count", flat=True))
    is_same = rows() == before and ListVersion.objects.count() == 2
    figure = f"{len(before):,} entries with {names:,} names in {seconds:.0f} s, again: {is_same}"
    proven.reached(figure, met=seconds < 120 and is_same and len(before) == 7379 + 1003)
