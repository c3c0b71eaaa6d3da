"""The document store as a backup sees it: names, reading, and writing once.

    names()             every object
    read(name)          its bytes, or BlobDamaged
    write(name, data)   store it; what is there already stays

Stored files are named by their hash. An append-only file is one object; writing adds its missing
lines.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import orjson
from django.conf import settings

from console.audit import chain_checks, heads, restores
from console.core import blobs

_APPENDED = {file.name: file for file in (heads.FILE, chain_checks.FILE, restores.FILE)}
# What is not named by a hash is a file that was not finished.
_HASH = re.compile(r"[0-9a-f]{64}")


def names() -> Iterator[str]:
    """Return the names of all objects."""
    root = Path(settings.BLOB_DIR)
    for path in sorted(root.rglob("*")):
        if _HASH.fullmatch(path.name) and path.is_file():
            yield str(path.relative_to(root))
    yield from (name for name, file in _APPENDED.items() if file.path.exists())


def read(name: str) -> bytes:
    """Return an object's bytes, or raise BlobDamaged."""
    if name in _APPENDED:
        return _APPENDED[name].path.read_bytes()
    sha256, folder = _parts(name)
    return blobs.get(sha256, folder)


def write(name: str, data: bytes) -> None:
    """Store an object. Idempotent, and never overwrites."""
    if name not in _APPENDED:
        _, folder = _parts(name)
        blobs.put(data, folder)
        return
    file = _APPENDED[name]
    there = set(file.path.read_bytes().splitlines()) if file.path.exists() else set()
    for line in data.splitlines():
        if line and line not in there:
            file.append(orjson.loads(line))


def _parts(name: str) -> tuple[str, str]:
    """Return a stored file's hash and folder: `folder/ab/abcd...`, or `ab/abcd...` without one."""
    folder, _, sha256 = name.rpartition("/")
    return sha256, folder.rpartition("/")[0]
