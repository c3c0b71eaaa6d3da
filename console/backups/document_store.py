"""The document store as a backup sees it: the names of all objects, and reading them.

    names()             every object, except those that a check of the store makes
    read(name)          its bytes; BlobDamaged if they changed, None if it was deleted meanwhile

The name of every object ends with the SHA-256 of its bytes, perhaps before an ending.
"""

import re
from collections.abc import Iterator

from django.core.files.storage import storages

from console.core import blobs
from console.core.digests import sha256_hex

_HASH = re.compile(r"([0-9a-f]{64})(?:\.[a-z]+)?")


def names(folder: str = "") -> Iterator[str]:
    """Return the names of all objects in a folder and below, without those of checks."""
    folders, files = storages["documents"].listdir(folder)
    above = f"{folder}/" if folder else ""
    yield from (above + name for name in sorted(files))
    for name in sorted(folders):
        if above + name != blobs.CHECKS:
            yield from names(above + name)


def read(name: str) -> bytes | None:
    """Return an object's bytes, verified, or None if it was deleted meanwhile."""
    try:
        data = blobs.read(name)
    except blobs.BlobDamaged:
        return None
    found = _HASH.search(name.rpartition("/")[2])
    if not found or found[1] != sha256_hex(data):
        raise blobs.BlobDamaged(f"The file {name} is not what was stored.")
    return data
