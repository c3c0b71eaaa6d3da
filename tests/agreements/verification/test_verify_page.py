"""The public verification page: one clear answer for every file."""

import io
import subprocess
import zipfile
from collections.abc import Iterator

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from agreements.models import Document, Pack
from agreements.pki import certificates, seal_keys
from console.accounts import businesses
from console.core import blobs
from tests import factories
from tests.agreements.sealing import made
from tests.agreements.verification import vectors
from tests.databases import empty_tables

PAGE = "/verify/"


@pytest.fixture(scope="module")
def executed(django_db_setup, django_db_blocker) -> Iterator[Pack]:
    """One executed pack for all these tests, which do not change it, since it takes a while."""
    with django_db_blocker.unblock():
        yield factories.a_pack("executed")
        empty_tables()


def a_document(pack: Pack, code: str = "MSA") -> Document:
    return Document.objects.get(revision=pack.revision, code=code)


def brought(client: Client, data: bytes, name: str = "document.pdf"):
    return client.post(PAGE, {"file": SimpleUploadedFile(name, data, "application/pdf")})


def looked_up(client: Client, sha256: str):
    return client.get(PAGE, {"sha256": sha256})


def test_it_opens_for_everybody(client):
    page = client.get(reverse("agreements:verify"))
    assert page.status_code == 200
    assert "Is this document authentic?" in page.text


def test_it_opens_for_people_who_are_signed_in(client):
    factories.signed_in(client, factories.a_person())
    assert "Is this document authentic?" in client.get(PAGE).text


def test_an_executed_copy_is_authentic_and_names_the_parties(client, executed):
    page = brought(client, blobs.get(a_document(executed).sealed_sha256))
    assert "Authentic, and executed" in page.text
    assert executed.number in page.text
    assert executed.business.name in page.text.replace("&amp;", "&")


def test_the_copy_that_was_read_is_a_review_copy(client, executed):
    page = brought(client, blobs.get(a_document(executed).unsigned_sha256))
    assert "Review copy, not executed" in page.text
    assert "<dt>Executed" not in page.text


def test_the_parties_are_named_as_the_documents_name_them(client, executed):
    businesses.rename(
        executed.business, "Another Bank PLC", by=factories.owner_of(executed.business)
    )
    shown = brought(client, blobs.get(a_document(executed).sealed_sha256)).text
    assert "Kettle &amp; Kiosk Ltd" in shown
    assert "Another Bank" not in shown


def test_a_manifest_is_known_byte_by_byte(client, executed):
    data = blobs.get(executed.manifest_sha256)
    assert "Authentic, and executed" in brought(client, data).text
    altered = brought(client, data.replace(b"2026", b"2025", 1)).text
    assert "We cannot read this file" in altered
    assert "Authentic" not in altered
    assert "<dt>Executed" not in altered


def test_one_changed_byte_is_altered_and_names_nobody(client, executed):
    data = blobs.get(a_document(executed).sealed_sha256)
    page = brought(client, vectors.flipped(data, 8 * 3000))
    assert "Altered, or not an executed copy" in page.text
    assert executed.number not in page.text


def test_a_certificate_offered_as_an_agreement_is_called_a_certificate(client, executed):
    page = brought(client, blobs.get(executed.certificate_sha256), "02-MSA.pdf")
    assert "Authentic, and executed" in page.text
    assert "Certificate of execution" in page.text


def test_a_fingerprint_is_answered_without_names(client, executed):
    page = looked_up(client, a_document(executed).sealed_sha256)
    assert "Authentic, and executed" in page.text
    assert a_document(executed).title in page.text
    assert executed.number not in page.text
    assert executed.business.name not in page.text


@pytest.mark.parametrize(
    "written",
    [
        "SHA256:{}",
        "sha256: {}",
        "SHA-256={}",
        "{}  02-Master services agreement.pdf",
        "{} *cafe-babe.pdf",
        "SHA256 (02 MSA.pdf) = {}",
    ],
)
def test_a_fingerprint_is_found_as_programs_write_it(client, executed, written):
    page = looked_up(client, written.format(a_document(executed).sealed_sha256.upper()))
    assert "Authentic, and executed" in page.text


def test_the_code_on_the_certificate_leads_to_the_whole_pack(client, executed):
    assert "Agreement pack" in looked_up(client, executed.manifest_sha256).text


def test_a_fingerprint_may_be_written_in_groups(client, executed):
    sha256 = a_document(executed).sealed_sha256.upper()
    spaced = " ".join(sha256[i : i + 8] for i in range(0, 64, 8))
    assert "Authentic, and executed" in looked_up(client, spaced).text


def test_the_bundle_that_people_download_is_checked_offline(executed, tmp_path):
    with zipfile.ZipFile(io.BytesIO(blobs.get(executed.bundle_sha256))) as archive:
        archive.extractall(tmp_path)
    root = certificates.fingerprint(seal_keys.seal().root)
    command = ["sh", str(tmp_path / executed.number / "verify.sh"), root]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout + said.stderr


def test_an_unknown_fingerprint_is_called_unknown(client):
    assert "We do not know this fingerprint" in looked_up(client, "00" * 32).text


def test_what_is_no_fingerprint_is_asked_for_again(client):
    for written in ["", "abc", "g" * 64, "0" * 63, "0" * 65, "\x00" * 64, "é" * 64]:
        page = looked_up(client, written)
        assert page.status_code == 200
        assert "<title>Error: " in page.text
        assert "There is a problem" in page.text


def test_no_file_is_asked_for_again(client):
    page = client.post(PAGE)
    assert "<title>Error: " in page.text
    assert "Choose the file" in page.text


def test_what_is_no_pdf_is_said_to_be_none(client):
    for data in [b"", b"hello", b"%PDF-1.7\n\xff\xfe", b"PK\x03\x04" * 100]:
        page = brought(client, data)
        assert page.status_code == 200
        assert "We cannot read this file" in page.text


def test_somebody_elses_seal_under_our_name_is_called_theirs(client):
    page = brought(client, made.a_sealed_document())
    assert "Sealed by someone else" in page.text


def test_files_are_not_checked_without_end(client, stopped_clock):
    answers = [brought(client, b"hello").status_code for _ in range(21)]
    assert answers == [200] * 20 + [429]


def test_nothing_is_kept_of_a_file(client, settings, tmp_path):
    settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path)
    brought(client, b"%PDF-1.7\n" + bytes(3 * 1024 * 1024))
    assert list(tmp_path.iterdir()) == []
