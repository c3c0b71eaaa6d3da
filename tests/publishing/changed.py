"""Copies of a kind's files that a test may change."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from console.publishing import published_kinds
from console.publishing.files import JsonFiles


def copied(files: JsonFiles[Any], folder: Path, monkeypatch: pytest.MonkeyPatch) -> JsonFiles[Any]:
    """Copy the files to a test folder and register the copies under the same kind."""
    place = folder / files.key
    shutil.copytree(files.folder, place)
    copies = replace(files, folder=place)
    kind = replace(published_kinds._kinds[files.key], files=copies)
    monkeypatch.setitem(published_kinds._kinds, files.key, kind)
    return copies


def write(files: JsonFiles[Any], version: str, *, like: str, **members: Any) -> None:
    """Write a version that copies another one, with these members replaced."""
    document = json.loads((files.folder / f"{files.prefix}{like}.json").read_text())
    named = "edition" if "edition" in document else "version"
    document |= {named: version} | members
    (files.folder / f"{files.prefix}{version}.json").write_text(json.dumps(document))
