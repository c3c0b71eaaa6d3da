"""Packages that a test installs, as their metadata and one module."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from console.core import installed_classes


def offer(
    folder: Path,
    patch: pytest.MonkeyPatch,
    group: str,
    source: str,
    *,
    name: str = "theirs",
    packages: Iterable[str] = ("one",),
) -> None:
    """Install packages that offer the class `Theirs` of this source under a name."""
    for package in packages:
        module = f"theirs_{folder.name.replace('-', '_')}_{package}"
        (folder / f"{module}.py").write_text(source)
        info = folder / f"{package}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[{group}]\n{name} = {module}:Theirs\n")
    patch.syspath_prepend(str(folder))
    installed_classes.made.cache_clear()
