"""Registry of the stored files that rows name, and the check that each is what its row says.

register(lambda: rows(Pack.objects.all(), "bundle_sha256"))    in AppConfig.ready()
known()                                                        every file that rows name now
damaged(tell)                                                  missing and altered files
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from django.db.models import QuerySet

from console.backups import verifications
from console.core import blobs


class NamedFile(NamedTuple):
    """A stored file by its hash and folder, and the row that names it."""

    sha256: str
    folder: str
    named_by: str


_readers: list[Callable[[], Iterable[NamedFile]]] = []


def register(reader: Callable[[], Iterable[NamedFile]]) -> None:
    """Register a function that returns named files. Called from AppConfig.ready(), nowhere else."""
    _readers.append(reader)


def rows(found: "QuerySet[Any]", *columns: str, folder: str = "") -> Iterator[NamedFile]:
    """Return the files in a folder that these columns name; blank ones name none."""
    label = found.model._meta.label
    for key, *hashes in found.values_list("pk", *columns).iterator():
        for sha256 in filter(None, hashes):
            yield NamedFile(sha256, folder, f"{label} {key}")


def known() -> list[NamedFile]:
    """Return every file that rows name now, once."""
    return list({file[:2]: file for reader in _readers for file in reader()}.values())


def damaged(tell: verifications.ProgressTeller) -> Iterator[str]:
    """Read every named file once, and return a sentence about each that is missing or altered."""
    for file in verifications.counted(known(), "Files", tell):
        try:
            blobs.get(file.sha256, file.folder)
        except blobs.BlobDamaged as fault:
            yield f"{file.named_by}: {fault}"
