"""Hash the files inside a zip within limits. Runs in the process for untrusted files."""

import hashlib
import zipfile
from io import BytesIO

MAGIC = b"PK\x03\x04"
MOST_FILES = 500
MOST_BYTES = 100 * 1024 * 1024
TOO_MUCH = "it contains more than 500 files or 100 MB"
_LONGEST_NAME = 200
_CHUNK = 64 * 1024
# Added by operating systems; never part of a pack.
_EXTRAS = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")


class TooMuch(Exception):
    """Raised when the files exceed our limits."""


def hashes(data: bytes) -> list[tuple[str, str]]:
    """Return each file's name and SHA-256. Raise TooMuch, or any error of a broken zip."""
    with zipfile.ZipFile(BytesIO(data)) as archive:
        entries = [one for one in archive.infolist() if not _is_ignored(one)]
        if len(entries) > MOST_FILES:
            raise TooMuch
        found, left = [], MOST_BYTES
        for entry in entries:
            sha256, size = _hash(archive, entry, left)
            found.append((_shown(entry.filename), sha256))
            left -= size
        return found


def _hash(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int) -> tuple[str, int]:
    """Return the hash and the actual size, because the size in the zip header may be false."""
    made, size = hashlib.sha256(), 0
    with archive.open(entry) as file:
        while chunk := file.read(_CHUNK):
            size += len(chunk)
            if size > most:
                raise TooMuch
            made.update(chunk)
    return made.hexdigest(), size


def _is_ignored(entry: zipfile.ZipInfo) -> bool:
    parts = entry.filename.split("/")
    return entry.is_dir() or parts[-1].startswith("._") or any(one in _EXTRAS for one in parts)


def _shown(name: str) -> str:
    """Return the name without characters that could disguise it."""
    return "".join(c if c.isprintable() else "\ufffd" for c in name[:_LONGEST_NAME])
