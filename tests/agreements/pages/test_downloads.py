"""Downloads for the business and our staff."""

import io
import zipfile

from console.accounts.roles import Role
from console.core.digests import sha256_hex
from tests import factories
from tests.agreements.pages.addresses import nth_document, of_case, own, staff

KINDS = {
    "bundle.zip": "application/zip",
    "certificate.pdf": "application/pdf",
    "manifest.json": "application/json",
    "SHA256SUMS": "text/plain",
}


def test_the_review_copy_is_the_bytes_behind_the_fingerprint_and_can_do_nothing(
    client, pack, signatory
):
    document = nth_document(pack, 3)
    factories.signed_in(client, signatory)

    file = client.get(own("review_copy", pack, document.public_id))

    assert sha256_hex(file.content) == document.unsigned_sha256
    name = f"{pack.number}-03-MSA-review-copy-not-executed.pdf"
    assert file.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    assert file.headers["X-Content-Type-Options"] == "nosniff"
    assert file.headers["Cache-Control"] == "no-store"
    assert "default-src 'none'" in file.headers["Content-Security-Policy"]
    assert "sandbox" in file.headers["Content-Security-Policy"]


def test_the_files_are_those_that_were_sealed(client, executed):
    factories.signed_in(client, factories.owner_of(executed.business))
    files = {name: client.get(own("file", executed, executed.number, name)) for name in KINDS}

    for name, file in files.items():
        assert file.headers["Content-Type"] == KINDS[name]
        assert f'filename="{executed.number}-{name}"' in file.headers["Content-Disposition"]
    document = nth_document(executed, 3)
    sealed = client.get(own("sealed_copy", executed, document.public_id)).content
    assert sha256_hex(sealed) == document.sealed_sha256
    assert sha256_hex(files["manifest.json"].content) == executed.manifest_sha256
    assert sha256_hex(files["certificate.pdf"].content) == executed.certificate_sha256
    with zipfile.ZipFile(io.BytesIO(files["bundle.zip"].content)) as archive:
        assert archive.read(f"{executed.number}/SHA256SUMS") == files["SHA256SUMS"].content
        assert archive.read(f"{executed.number}/{document.file_name}") == sealed


def test_before_execution_there_is_nothing_sealed(client, pack, signatory):
    factories.signed_in(client, signatory)

    assert client.get(own("sealed_copy", pack, nth_document(pack).public_id)).status_code == 404
    for name in KINDS:
        assert client.get(own("file", pack, pack.number, name)).status_code == 404


def test_an_unknown_file_does_not_exist(client, executed):
    factories.signed_in(client, factories.owner_of(executed.business))

    for name in ("secret", "..", "bundle", "manifest.json.bak"):
        assert client.get(own("file", executed, executed.number, name)).status_code == 404


def test_everyone_of_the_business_gets_what_is_executed_and_readers_what_is_read(client, executed):
    factories.signed_in(client, factories.a_member(executed.business, Role.VIEWER))
    document = nth_document(executed)

    sealed = client.get(own("sealed_copy", executed, document.public_id))

    assert sha256_hex(sealed.content) == document.sealed_sha256
    assert client.get(own("file", executed, executed.number, "bundle.zip")).status_code == 200
    assert client.get(own("review_copy", executed, document.public_id)).status_code == 403


def test_our_staff_get_the_same_files_by_the_case(client, executed):
    staff(client, Role.AUDITOR)
    document = nth_document(executed)

    review = client.get(of_case("case_review_copy", executed, document.public_id))
    sealed = client.get(of_case("case_sealed_copy", executed, document.public_id))
    bundle = client.get(of_case("case_file", executed, executed.number, "bundle.zip"))

    assert sha256_hex(review.content) == document.unsigned_sha256
    assert sha256_hex(sealed.content) == document.sealed_sha256
    assert sha256_hex(bundle.content) == executed.bundle_sha256


def test_a_document_of_another_case_is_not_found_by_this_one(client, pack, executed):
    staff(client, Role.AUDITOR)
    document = nth_document(executed)

    assert client.get(of_case("case_review_copy", pack, document.public_id)).status_code == 404
    assert client.get(of_case("case_file", pack, executed.number, "bundle.zip")).status_code == 404
