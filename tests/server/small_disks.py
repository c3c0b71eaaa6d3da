"""Disks of a few megabytes that a test can fill. Only root may mount them."""

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

_PIECE = bytes(4096)


@contextlib.contextmanager
def mounted(folder: Path, megabytes: int) -> Iterator[None]:
    """Mount an empty disk on the folder until the end of the block."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    options = f"size={megabytes}m,mode=700"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@contextlib.contextmanager
def full(folder: Path) -> Iterator[None]:
    """Fill the folder's disk to the last byte until the end of the block."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(_PIECE)
    try:
        yield
    finally:
        filler.unlink()
