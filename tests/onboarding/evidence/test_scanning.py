"""The virus scanner: refused uploads, files that wait for it, and the words without one."""

import socket

import pytest
from django.urls import reverse

from console.audit.models import Entry
from console.core import blobs
from onboarding.evidence import removal, scanner, scanning
from onboarding.evidence.models import EvidenceFile
from tests.onboarding.evidence import clamd, documents
from tests.onboarding.evidence.clamd import INFECTED


@pytest.fixture
def daemon(settings):
    with clamd.on_a_port() as address:
        settings.CLAMAV = address
        yield


@pytest.fixture
def nobody(settings):
    """An address at which nothing listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        settings.CLAMAV = f"127.0.0.1:{taken.getsockname()[1]}"
        yield


def page(client, file, name="file"):
    return client.get(reverse(f"onboarding:evidence_{name}", args=[file.public_id]))


def test_a_clean_file_is_stored_and_an_infected_one_is_not(daemon, upload, staff):
    assert upload().status_code == 302
    file = EvidenceFile.objects.get()
    assert "No virus found" in page(staff, file).text
    assert page(staff, file, "content").status_code == 200

    assert "found a virus" in upload(INFECTED).text
    assert EvidenceFile.objects.count() == 1


def test_a_large_file_is_scanned_in_parts(daemon):
    assert scanner.scan(bytes(300_000)) == ""
    assert scanner.scan(bytes(300_000) + clamd.EICAR) == "Eicar-Test-Signature"


def test_a_daemon_is_reached_at_its_socket(settings, tmp_path):
    with clamd.at_a_socket(str(tmp_path / "clamd")) as path:
        settings.CLAMAV = path
        assert scanner.scan(clamd.EICAR) == "Eicar-Test-Signature"


@pytest.mark.parametrize("data", [documents.a_pdf(), INFECTED])
def test_a_file_waits_for_a_scanner_that_is_down(nobody, upload, staff, settings, case, data):
    assert upload(data).status_code == 302
    file = EvidenceFile.objects.get()
    assert "Waiting for the virus scanner" in page(staff, file).text
    for name in ("content", "download"):
        assert page(staff, file, name).status_code == 409
    scanning.scan_waiting()
    assert "Waiting for the virus scanner" in page(staff, file).text

    with clamd.on_a_port() as address:
        settings.CLAMAV = address
        scanning.scan_waiting()

    file.refresh_from_db()
    if data == INFECTED:
        assert (file.removed_because, file.scanned_at) == ("infected", None)
        assert "Eicar" in Entry.objects.get(code="evidence_file.infected").body
        assert page(staff, file, "content").status_code == 409
    else:
        assert file.removed_at is None
        assert page(staff, file, "content").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_an_infected_file_is_deleted(nobody, upload, settings, case):
    upload(INFECTED)
    file = EvidenceFile.objects.get()
    with clamd.on_a_port() as address:
        settings.CLAMAV = address
        scanning.scan_waiting()
    assert not blobs.exists(file.sha256, removal.folder_of(case))


def test_files_from_before_the_scanner_are_scanned_too(upload, settings):
    upload()
    scanning.scan_waiting()
    assert EvidenceFile.objects.get().scanned_at is None
    with clamd.on_a_port() as address:
        settings.CLAMAV = address
        scanning.scan_waiting()
    assert EvidenceFile.objects.get().scanned_at
