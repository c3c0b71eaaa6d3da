"""Content-addressed file store: files named by SHA-256, written once and verified on every read."""

import os
import tempfile
from pathlib import Path

from django.conf import settings

from console.core.digests import sha256_hex


class BlobDamaged(Exception):
    """The stored bytes are missing or have changed."""


def put(data: bytes, folder: str = "") -> str:
    """Store bytes under their SHA-256 and return the digest. Idempotent.

    Files that may be deleted need a folder of their own: equal files share one place.

    The file is complete and on disk before it gets its name, so a crash leaves at most an unnamed
    temporary file.
    """
    sha256 = sha256_hex(data)
    path = _path(sha256, folder)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, data)
    get(sha256, folder)
    return sha256


def get(sha256: str, folder: str = "") -> bytes:
    """Return the bytes with that digest, or raise BlobDamaged if they are missing or altered."""
    try:
        data = _path(sha256, folder).read_bytes()
    except FileNotFoundError:
        raise BlobDamaged(f"The file {sha256} is missing.") from None
    if sha256_hex(data) != sha256:
        raise BlobDamaged(f"The file {sha256} is not what was stored.")
    return data


def exists(sha256: str, folder: str = "") -> bool:
    return _path(sha256, folder).exists()


def delete(sha256: str, folder: str) -> None:
    """Delete the bytes with that digest from a folder. Idempotent."""
    _path(sha256, folder).unlink(missing_ok=True)


def check_writable() -> None:
    """Write and remove a small file, or raise the storage's error."""
    folder = Path(settings.BLOB_DIR)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=folder) as file:
        file.write(b"probe")


def _write(path: Path, data: bytes) -> None:
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    Path(file.name).replace(path)
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def _path(sha256: str, folder: str = "") -> Path:
    assert len(sha256) == 64
    assert sha256.isalnum()
    return Path(settings.BLOB_DIR) / folder / sha256[:2] / sha256
