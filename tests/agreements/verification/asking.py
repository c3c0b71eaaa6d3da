"""Questions to the public page, and the files of a pack."""

import io
import zipfile
from html import unescape

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from agreements.models import Pack
from console.core import blobs
from tests.factories.people import number

PAGE = "/verify/"


def files_of(pack: Pack) -> dict[str, bytes]:
    """Return the files in the zip of a pack."""
    with zipfile.ZipFile(io.BytesIO(blobs.get(pack.bundle_sha256))) as archive:
        return {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}


def brought(client: Client, data: bytes, name: str = "document.pdf") -> str:
    """Return the page about a file, each time from another address."""
    sent = SimpleUploadedFile(name, data)
    address = f"10.0.{next(number) % 250}.1"
    return unescape(client.post(PAGE, {"file": sent}, REMOTE_ADDR=address).text)


def looked_up(client: Client, sha256: str) -> str:
    """Return the page about a fingerprint."""
    return unescape(client.get(PAGE, {"sha256": sha256}).text)
