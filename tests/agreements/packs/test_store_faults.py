"""A store that is away, full or damaged stops no pack for good, and gives pages with words."""

import io
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from agreements.lifecycle import PackStatus
from agreements.packs import packs
from agreements.pki import seal_keys
from agreements.sealing import execution
from console.accounts.roles import Role
from console.audit import heads
from console.core import blobs, clock
from console.events import figures
from console.events.models import EventDelivery
from console.governance import log_checks
from tests import bucket as buckets
from tests import factories, seal_files
from tests.bucket import Bucket

COMMITS = pytest.mark.django_db(transaction=True)
FULL = {"BACKEND": "tests.core.test_blobs.FullStore"}


@pytest.fixture
def bucket(settings, monkeypatch) -> Iterator[Bucket]:
    """A bucket for documents, with everything that the folder has."""
    with buckets.running() as bucket:
        folder = Path(settings.MEDIA_ROOT)
        for path in filter(Path.is_file, folder.rglob("*")):
            bucket.overwrite(str(path.relative_to(folder)), path.read_bytes())
        settings.STORAGES = bucket.storages(monkeypatch, settings)
        yield bucket


def handled_again() -> None:
    """Handle what waits, as if the time to wait were over."""
    EventDelivery.objects.update(not_before=clock.now() - timedelta(minutes=1))
    factories.settle()


@COMMITS
@pytest.mark.parametrize("at", [PackStatus.GENERATING, PackStatus.COUNTERSIGNING])
def test_a_full_store_is_tried_again_and_stops_no_pack(settings, at):
    pack = factories.a_pack(at)
    rightly = settings.STORAGES
    settings.STORAGES = {**rightly, "documents": FULL}
    for _ in range(10):
        handled_again()

    waiting = EventDelivery.objects.waiting().get(event__subject_id=pack.public_id)
    assert waiting.attempts >= 6
    assert "No space left on device" in waiting.last_error
    pack = factories.fresh_pack(pack)
    assert (pack.status, pack.failures) == (at, 0)
    shown = {figure.name: figure.values for figure in figures.read()}
    assert shown["queue_failing"][waiting.listener,] == 1
    assert shown["queue_age_seconds"][waiting.listener,] > 0
    if at == PackStatus.COUNTERSIGNING:
        settings.STORAGES = rightly
        handled_again()
        assert factories.fresh_pack(pack).status == PackStatus.EXECUTED


@COMMITS
def test_another_host_seals_what_the_first_stored(settings, tmp_path, request):
    pack = factories.a_pack(PackStatus.COUNTERSIGNING)
    bucket: Bucket = request.getfixturevalue("bucket")
    named = seal_files.make(tmp_path / "seal")
    settings.DATA_DIR = settings.MEDIA_ROOT = settings.PKI_DIR = tmp_path / "other host"
    settings.SELF_MADE_SEAL = False
    for name, path in named.items():
        setattr(settings, name, path)

    execution.seal(pack)

    pack = factories.fresh_pack(pack)
    assert pack.status == PackStatus.EXECUTED
    with zipfile.ZipFile(io.BytesIO(blobs.get(pack.bundle_sha256))) as bundle:
        root = bundle.read(f"{pack.number}/root.pem")
    assert root == (tmp_path / "seal/root.pem").read_bytes()
    assert [name for name in bucket.names() if name.startswith("audit/heads/")]
    assert heads.known().findings == []
    assert not (tmp_path / "other host").exists()
    bucket.delete(f"{pack.bundle_sha256[:2]}/{pack.bundle_sha256}")
    with pytest.raises(blobs.BlobDamaged):
        blobs.get(pack.bundle_sha256)


def test_a_host_of_an_installation_makes_no_seal_and_no_list(settings, tmp_path):
    settings.SELF_MADE_SEAL, settings.PKI_DIR = False, tmp_path / "pki"
    with pytest.raises(CommandError, match="The settings name no seal"):
        call_command("setup_seal")
    with pytest.raises(seal_keys.SealMissing, match="SEAL_KEY_FILE or SEAL_PKCS11"):
        seal_keys.seal()
    assert not (tmp_path / "pki").exists()


def lost(settings, tmp_path, how):
    """Take the files away: they are missing, or their folder cannot be reached."""
    (tmp_path / "file").touch()
    settings.MEDIA_ROOT = tmp_path / ("empty" if how == "missing" else "file")


WORDS = {"missing": "we keep a backup of every file", "away": "no saved file was lost"}


@COMMITS
@pytest.mark.parametrize("how", WORDS)
def test_a_file_that_cannot_be_read_is_a_page_with_words(client, settings, tmp_path, caplog, how):
    pack = factories.a_pack(PackStatus.EXECUTED)
    document = packs.documents_of(pack)[1]
    data, business = blobs.get(document.sealed_sha256), pack.business.public_id
    reviewer = factories.one_of_staff(Role.COMPLIANCE)
    case = pack.application.public_id
    lost(settings, tmp_path, how)

    factories.signed_in(client, factories.owner_of(pack.business))
    of_business = [
        *(reverse(f"agreements:{name}", args=[business, document.public_id])
          for name in ("document", "review_copy", "sealed_copy")),
        *(reverse("agreements:file", args=[business, pack.number, name])
          for name in ("bundle.zip", "certificate.pdf", "manifest.json", "SHA256SUMS")),
    ]  # fmt: skip
    of_staff = [
        reverse("agreements:case_document", args=[case, document.public_id]),
        reverse("agreements:case_file", args=[case, pack.number, "bundle.zip"]),
    ]
    for person, pages in ((None, of_business), (reviewer, of_staff)):
        if person:
            factories.signed_in(client, person)
        for address in pages:
            page = client.get(address)
            assert (page.status_code, page.headers["Retry-After"]) == (503, "60"), address
            assert WORDS[how] in page.text
    assert caplog.messages.count("file_unavailable") == len(of_business) + len(of_staff)

    told = client.post("/verify/", {"file": SimpleUploadedFile("a.pdf", data)})
    assert told.status_code == 200
    assert "We cannot tell" in told.text
    assert "facts_unreadable" in caplog.messages


def test_operators_are_told_that_the_store_is_away(client, settings, tmp_path):
    lost(settings, tmp_path, "away")
    assert log_checks.concerns()[0].startswith("The document store cannot be used now:")
    factories.signed_in(client, factories.one_of_staff(Role.OPERATOR))
    page = client.get(reverse("governance:work"))
    assert page.status_code == 200
    assert "The document store cannot be used now" in page.text
