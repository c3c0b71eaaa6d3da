"""Verification at /verify/ of repacked zips, and of register rows that were never sealed."""

import io
import shutil
import zipfile
from datetime import timedelta

import pytest

from agreements.models import ExecutedFile
from agreements.pki import certificates, revocation, seal_keys
from agreements.verification import zip_contents
from console.core import clock
from tests.agreements.verification.asking import brought, files_of, looked_up
from tests.databases import as_owner, go_past_triggers

EVERY_FILE, NOT_COMPLETE = "Every file is as executed", "Not the complete pack as executed"
CANNOT_READ = "We cannot read this file"


def packed(files: dict[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w", how) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return output.getvalue()


def results(page: str) -> dict[str, str]:
    """Return the result shown on the page for each file."""
    rows = page.split("Files compared with the list that we sealed")[1].split("<tr>")[2:]
    said = ("As executed", "Different", "Not part of the pack", "Missing")
    return {
        row.split('"row">')[1].split("<")[0]: next(one for one in said if one in row)
        for row in rows
    }


@pytest.mark.parametrize("how", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])
@pytest.mark.parametrize("folder", ["", "Documents/My pack/"])
def test_a_zip_that_was_packed_again_has_every_file_as_executed(client, executed, how, folder):
    files = files_of(executed)
    again = {f"{folder}{name}": files[name] for name in sorted(files, reverse=True)}
    extras = {"__MACOSX/._02-MSA.pdf": b"x", f"{folder}.DS_Store": b"x", f"{folder}acts/": b""}
    page = brought(client, packed(again | extras, how))

    assert EVERY_FILE in page
    assert executed.number in page
    assert results(page) == dict.fromkeys(again, "As executed")


def test_each_file_that_is_not_as_executed_is_named(client, executed):
    files = files_of(executed)
    changed = next(name for name in files if name.endswith("-MSA.pdf"))
    files[changed] += b" "
    del files["READ-ME.txt"]
    page = brought(client, packed(files | {"acts/invented\u202e.json": b"{}"}))

    assert NOT_COMPLETE in page
    assert executed.number not in page.split("<main")[1]
    problems = {name: said for name, said in results(page).items() if said != "As executed"}
    assert problems == {
        changed: "Different",
        "acts/invented\ufffd.json": "Not part of the pack",
        "READ-ME.txt": "Missing",
    }


def test_a_second_file_under_the_same_name_is_noticed(client, executed):
    output = io.BytesIO(packed(files_of(executed)))
    with zipfile.ZipFile(output, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("manifest.json", b"{}")
    page = brought(client, output.getvalue())
    assert NOT_COMPLETE in page


def test_a_zip_packed_again_under_a_withdrawn_seal_is_not_relied_on(
    client, executed, settings, tmp_path
):
    settings.PKI_DIR = shutil.copytree(settings.PKI_DIR, tmp_path / "pki")
    used = certificates.fingerprint(seal_keys.seal().certificate)
    revocation.withdraw(used, clock.now() - timedelta(days=9), "A laptop was stolen")
    assert "You can no longer rely on the seal" in brought(client, packed(files_of(executed)))


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"a.txt": b"hello"}, "without a file of a pack"),
        ({f"{n}": b"" for n in range(zip_contents.MOST_FILES + 1)}, "500 files"),
        ({"zeros": bytes(zip_contents.MOST_BYTES + 1)}, "100 MB"),
    ],
)
def test_other_zips_are_not_read_and_the_page_says_why(client, executed, files, why):
    page = brought(client, packed(files))
    assert CANNOT_READ in page
    assert why in page


def test_a_zip_that_states_false_sizes_is_not_read(client, executed):
    data = packed({"zeros": bytes(zip_contents.MOST_BYTES + 1)})
    size = (zip_contents.MOST_BYTES + 1).to_bytes(4, "little")
    assert CANNOT_READ in brought(client, data.replace(size, (9).to_bytes(4, "little")))


def test_a_row_that_nobody_sealed_is_not_called_authentic(client, executed):
    """The database owner inserts the row, because triggers stop the application's role."""
    row = ExecutedFile.objects.get(pack=executed, name="manifest.json")
    forged = "ab" * 32
    with as_owner() as owner:
        go_past_triggers(owner)
        owner.execute(
            "INSERT INTO agreements_executedfile (pack_id, name, sha256, seal_sha256)"
            " VALUES (%s, '99-EXTRA.pdf', %s, %s)",
            [executed.pk, forged, row.seal_sha256],
        )

    assert "Authentic, and executed" in looked_up(client, row.sha256)
    assert "We do not know this fingerprint" in looked_up(client, forged)
