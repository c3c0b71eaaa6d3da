"""Versioned files that say themselves from which day they are in force."""

from datetime import date
from typing import TypeVar

from pydantic.dataclasses import dataclass as typed

from console.publishing.files import STRICT, FileFault, JsonFiles, VersionedFile


@typed(frozen=True, config=STRICT, kw_only=True)
class DatedFile(VersionedFile):
    """One version, in force from a day on until a later version is."""

    effective_from: date
    note: str = ""


DatedT = TypeVar("DatedT", bound=DatedFile)


def in_force(files: JsonFiles[DatedT], on: date) -> DatedT:
    """Return the version that is in force on a day, or raise FileFault."""
    versions = [files.load(version) for version in files.versions()]
    begun = [one for one in versions if one.effective_from <= on]
    if not begun:
        raise FileFault(f"No version of “{files.name}” is in force on {on}.")
    return max(begun, key=lambda one: one.effective_from)
