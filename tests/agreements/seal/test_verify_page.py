"""The public page: one clear answer for whatever is brought to it."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from agreements import pki
from console.core.digests import sha256_hex
from tests.agreements.seal import made


@pytest.fixture(autouse=True)
def _a_seal_of_this_machine(settings, tmp_path) -> None:
    settings.PKI_DIR = tmp_path / "pki"
    pki.set_up()


def brought(client: Client, data: bytes):
    file = SimpleUploadedFile("document.pdf", data, "application/pdf")
    return client.post(reverse("agreements:verify"), {"file": file})


def test_it_opens_for_everybody(client):
    page = client.get(reverse("agreements:verify"))
    assert page.status_code == 200
    assert "Is this document authentic?" in page.text


def test_a_foreign_seal_is_called_foreign(client):
    page = brought(client, made.a_sealed_paper())
    assert page.status_code == 200
    assert "Sealed by someone else" in page.text
