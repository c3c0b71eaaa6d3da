"""The public verification page: one clear answer for every file."""

from django.core.files.uploadedfile import SimpleUploadedFile

from agreements.models import Document, Pack
from console.accounts import businesses
from console.core import blobs
from tests import factories
from tests.agreements.sealing import made
from tests.agreements.verification import vectors
from tests.agreements.verification.asking import PAGE, brought, looked_up


def a_document(pack: Pack, code: str = "MSA") -> Document:
    return Document.objects.get(revision=pack.revision, code=code)


def test_it_opens_for_everybody(client):
    assert "Is this document authentic?" in client.get(PAGE).text
    factories.signed_in(client, factories.a_person())
    assert "Is this document authentic?" in client.get(PAGE).text


def test_an_executed_copy_is_authentic_and_names_the_parties(client, executed):
    page = brought(client, blobs.get(a_document(executed).sealed_sha256))
    assert "Authentic, and executed" in page
    assert executed.number in page
    assert executed.business.name in page


def test_the_copy_that_was_read_is_a_review_copy(client, executed):
    page = brought(client, blobs.get(a_document(executed).unsigned_sha256))
    assert "Review copy, not executed" in page
    assert "<dt>Executed" not in page


def test_the_parties_are_named_as_the_documents_name_them(client, executed):
    businesses.rename(
        executed.business, "Another Bank PLC", by=factories.owner_of(executed.business)
    )
    shown = brought(client, blobs.get(a_document(executed).sealed_sha256))
    assert "Kettle & Kiosk Ltd" in shown
    assert "Another Bank" not in shown


def test_a_manifest_is_known_byte_by_byte(client, executed):
    data = blobs.get(executed.manifest_sha256)
    assert "Authentic, and executed" in brought(client, data)
    altered = brought(client, data.replace(b"2026", b"2025", 1))
    assert "We cannot read this file" in altered
    assert "Authentic" not in altered
    assert "<dt>Executed" not in altered


def test_one_changed_byte_is_altered_and_names_nobody(client, executed):
    data = blobs.get(a_document(executed).sealed_sha256)
    page = brought(client, vectors.flipped(data, 8 * 3000))
    assert "Altered, or not an executed copy" in page
    assert executed.number not in page


def test_a_certificate_offered_as_an_agreement_is_called_a_certificate(client, executed):
    page = brought(client, blobs.get(executed.certificate_sha256), "02-MSA.pdf")
    assert "Authentic, and executed" in page
    assert "Certificate of execution" in page


def test_a_fingerprint_is_found_as_programs_write_it(client, executed):
    sha256 = a_document(executed).sealed_sha256.upper()
    for written in (
        f"SHA256:{sha256}",
        f"sha256: {sha256}",
        f"SHA-256={sha256}",
        f"{sha256}  02-Master services agreement.pdf",
        f"{sha256} *cafe-babe.pdf",
        f"SHA256 (02 MSA.pdf) = {sha256}",
        " ".join(sha256[i : i + 8] for i in range(0, 64, 8)),
    ):
        page = looked_up(client, written)
        assert "Authentic, and executed" in page, written
        assert a_document(executed).title in page


def test_the_code_on_the_certificate_leads_to_the_whole_pack(client, executed):
    assert "Agreement pack" in looked_up(client, executed.manifest_sha256)


def test_what_is_no_fingerprint_is_asked_for_again(client):
    for written in ["", "abc", "g" * 64, "0" * 63, "0" * 65, "\x00" * 64, "é" * 64]:
        page = looked_up(client, written)
        assert "<title>Error: " in page
        assert "There is a problem" in page


def test_no_file_is_asked_for_again(client):
    page = client.post(PAGE)
    assert "<title>Error: " in page.text
    assert "Choose the file" in page.text


def test_what_is_no_pdf_is_said_to_be_none(client):
    for data in [b"", b"hello", b"%PDF-1.7\n\xff\xfe", b"PK\x03\x04" * 100]:
        assert "We cannot read this file" in brought(client, data)


def test_somebody_elses_seal_under_our_name_is_called_theirs(client):
    page = brought(client, made.a_sealed_document())
    assert "Sealed by someone else" in page


def test_files_are_not_checked_without_end(client, stopped_clock):
    sent = [client.post(PAGE, {"file": SimpleUploadedFile("a", b"hello")}) for _ in range(21)]
    assert [one.status_code for one in sent] == [200] * 20 + [429]


def test_nothing_is_kept_of_a_file(client, settings, tmp_path):
    settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path)
    brought(client, b"%PDF-1.7\n" + bytes(3 * 1024 * 1024))
    assert list(tmp_path.iterdir()) == []
