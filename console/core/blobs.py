"""Files in Django's storage `documents`: written once, and verified on every read.

    put(data) -> sha256     store bytes under their SHA-256
    get(sha256)             the bytes, verified
    name_of(sha256)         their name
    write_once(name, data)  store bytes under a name of their own
    check_writable()        raise StoreUnavailable unless files can be stored, as they must be

The storage is a folder, or a bucket that all hosts share: see DOCUMENT_STORE.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.core.files.base import ContentFile
from django.core.files.storage import Storage, storages

from console.core.digests import sha256_hex

# The folder of the files that `check_writable` stores and deletes.
CHECKS = "checks"


class BlobDamaged(Exception):
    """The stored bytes are missing or have changed."""


class StoreUnavailable(OSError):
    """Files cannot be stored or read now: the store does not answer, or is full. Try again."""


def put(data: bytes, folder: str = "") -> str:
    """Store bytes under their SHA-256 and return the digest. Idempotent.

    Files that may be deleted need a folder of their own: equal files share one place.
    """
    sha256 = sha256_hex(data)
    write_once(name_of(sha256, folder), data)
    return sha256


def get(sha256: str, folder: str = "") -> bytes:
    """Return the bytes with that digest, or raise BlobDamaged if they are missing or altered."""
    data = read(name_of(sha256, folder))
    if sha256_hex(data) != sha256:
        raise BlobDamaged(f"The file {sha256} is not what was stored.")
    return data


def exists(sha256: str, folder: str = "") -> bool:
    with _reached():
        return _store().exists(name_of(sha256, folder))


def delete(sha256: str, folder: str) -> None:
    """Delete the bytes with that digest from a folder. Idempotent."""
    with _reached():
        _store().delete(name_of(sha256, folder))


def write_once(name: str, data: bytes) -> None:
    """Store bytes under a name and read them back. The same bytes again change nothing.

    Raises BlobDamaged if the name has other bytes, which are never overwritten.
    """
    with _reached(), suppress(FileExistsError):
        _store().save(name, ContentFile(data))
    if read(name) != data:
        raise BlobDamaged(f"The file {name} is not what was stored.")


def read(name: str) -> bytes:
    """Return the bytes of that name, unverified, or raise BlobDamaged if they are missing."""
    try:
        with _reached(), _store().open(name) as file:
            return bytes(file.read())
    except FileNotFoundError:
        raise BlobDamaged(f"The file {name} is missing.") from None


def names(folder: str) -> list[str]:
    """Return the names of the files in a folder, sorted."""
    with _reached():
        return sorted(_store().listdir(folder)[1])


def check_writable() -> None:
    """Store, read and delete a small file, and see that it cannot be overwritten.

    Raises StoreUnavailable or BlobDamaged. It takes four requests to a bucket, so do not call it
    for every page.
    """
    name = f"{CHECKS}/{secrets.token_hex(16)}"
    try:
        write_once(name, b"first")
        with _reached():
            _store().save(name, ContentFile(b"second"))
    except FileExistsError:
        return
    finally:
        with _reached():
            _store().delete(name)
    raise StoreUnavailable("The document store lets files be overwritten: see docs/operations.md.")


def _store() -> Storage:
    return storages["documents"]


@contextmanager
def _reached() -> Iterator[None]:
    """Raise errors other than a missing or existing file as StoreUnavailable."""
    try:
        yield
    except (FileNotFoundError, FileExistsError):
        raise
    except OSError as error:
        raise StoreUnavailable(f"The document store cannot be used now: {error}") from error


def name_of(sha256: str, folder: str = "") -> str:
    """Return the name under which `put` stores the bytes with that digest."""
    assert len(sha256) == 64
    assert sha256.isalnum()
    return "/".join(filter(None, (folder, sha256[:2], sha256)))
