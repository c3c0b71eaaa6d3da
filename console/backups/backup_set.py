"""A backup set: a folder with the database's dump, the stored documents and a manifest.

    database.dump    one snapshot of the database, as `pg_dump` writes it
    documents/...    the objects of the document store
    seals/...        the seals that the console made, encrypted with the newest of VAULT_KEYS
    manifest.json    every file with its SHA-256 and size, and what is needed to restore them
    manifest.mac     a code of the manifest that needs the same key

The manifest is written last, so a set without one is not complete. Secrets in the database stay
encrypted; the manifest names the keys that read them.
"""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from console.core import digests
from console.hosts import shared_values

DUMP, DOCUMENTS, SEALS = "database.dump", "documents", "seals"
_MANIFEST, _CODE = "manifest.json", "manifest.mac"
_DOMAIN = "console.backup.v1"


class SetRefused(Exception):
    """Raised if a set cannot be made or restored here. The message says why."""


@dataclass(frozen=True)
class BackupManifest:
    """What a set contains. `keys` has a hash of each key, by setting and number."""

    at: str
    version: str
    server: int
    migrations: list[str]
    count: int
    hash: str
    keys: dict[str, dict[str, str]]
    files: dict[str, list[Any]]


class BackupSet:
    """The files of one set."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def begin(self) -> None:
        """Create the folder. Raises SetRefused if something is in it."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(self.folder.iterdir()):
            raise SetRefused(f"{self.folder} is not empty. Name a new folder.")

    def add(self, name: str, data: bytes) -> None:
        """Write a file that only we can read, and wait until it is on disk."""
        path = self.folder / name
        for above in reversed(Path(name).parents):
            (self.folder / above).mkdir(mode=0o700, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())

    def read(self, name: str) -> bytes:
        return (self.folder / name).read_bytes()

    def sums(self) -> dict[str, list[Any]]:
        """Return the SHA-256 and size of every file that is here, by name."""
        paths = [path for path in sorted(self.folder.rglob("*")) if path.is_file()]
        names = {str(path.relative_to(self.folder)): path for path in paths}
        return {name: _sum(path) for name, path in names.items() if name not in (_MANIFEST, _CODE)}

    def finish(self, manifest: BackupManifest) -> None:
        """Write the manifest and its code."""
        data = digests.canonical(_DOMAIN, asdict(manifest))
        number = next(iter(settings.VAULT_KEYS))
        code = _mark(data, settings.VAULT_KEYS[number])
        self.add(_CODE, f"{number}:{code}".encode())
        self.add(_MANIFEST, data)

    def manifest(self) -> BackupManifest:
        """Return the manifest. Raises SetRefused if it is missing, changed or of other keys."""
        try:
            data = self.read(_MANIFEST)
            number, _, code = self.read(_CODE).decode().partition(":")
            key = settings.VAULT_KEYS.get(int(number))
        except OSError as missing:
            raise SetRefused(f"{self.folder} is not a complete backup: {missing}.") from missing
        except ValueError as garbled:
            raise SetRefused(f"{_CODE} is empty or was changed.") from garbled
        if key is None:
            raise SetRefused(f"VAULT_KEYS lacks key {number}, with which this backup was made.")
        if not constant_time_compare(_mark(data, key), code):
            raise SetRefused(
                f"{_MANIFEST} was changed, or key {number} of VAULT_KEYS is not the one with "
                "which this backup was made."
            )
        return BackupManifest(**digests.parse(data))

    def damages(self, manifest: BackupManifest) -> Iterator[str]:
        """Return the files that are missing, altered or not in the manifest."""
        there = self.sums()
        for name in sorted({*there, *manifest.files}):
            if there.get(name) != manifest.files.get(name):
                yield name


def key_marks() -> dict[str, dict[str, str]]:
    """Return the check value of each key in the settings, by setting and number."""
    return {
        name: {str(number): mark for number, mark in marks.items()}
        for name, marks in shared_values.key_marks().items()
    }


def missing_keys(manifest: BackupManifest) -> list[str]:
    """Return the keys that the set needs and the settings lack."""
    here = key_marks()
    return [
        f"key {number} of {name}"
        for name, marks in manifest.keys.items()
        for number, mark in marks.items()
        if here[name].get(number) != mark
    ]


def _mark(manifest: bytes, key: bytes) -> str:
    salt = "console.backups.manifest"
    return salted_hmac(salt, manifest, secret=key, algorithm="sha256").hexdigest()


def _sum(path: Path) -> list[Any]:
    with path.open("rb") as file:
        return [hashlib.file_digest(file, "sha256").hexdigest(), path.stat().st_size]
