"""Loading of versioned files: strictly typed, no unknown members, hashed in canonical form.

A package declares the type of its file as a subclass of VersionedFile, and where its versions are:

    EDITIONS = JsonFiles("questionnaire", "Questionnaire", "onboarding.edition.v1", Edition, FOLDER)
    EDITIONS.load("2026-11")  -> the edition, or FileFault with everything wrong with it
"""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as typed

from console.core import digests

# A file must match its type exactly: no unknown members, and no strings for numbers.
STRICT = ConfigDict(extra="forbid", strict=True)
# Longest excerpt of a wrong value in an error message, in characters.
_LONGEST = 60
_MESSAGES = {
    "missing": "is missing",
    "unexpected_keyword_argument": "is not known",
    "extra_forbidden": "is not known",
}


class FileFault(ValueError):
    """The file does not exist or is invalid. The message lists everything wrong with it."""


@typed(frozen=True, config=STRICT, kw_only=True)
class VersionedFile:
    """The base of every versioned file: its version. `canonical` is the form that is hashed."""

    version: str
    canonical: bytes = field(default=b"", init=False, repr=False)

    @property
    def sha256(self) -> str:
        """The SHA-256 of the canonical form, in lower-case hex."""
        return digests.sha256_hex(self.canonical)


class Hashed(Protocol):
    """One loaded version of a file."""

    @property
    def version(self) -> str: ...

    @property
    def sha256(self) -> str: ...


T = TypeVar("T")
T_co = TypeVar("T_co", bound=Hashed, covariant=True)
F = TypeVar("F", bound=VersionedFile)


class Files(Protocol[T_co]):
    """All versions of one kind of file. `key` is stored in rows and must never change."""

    @property
    def key(self) -> str: ...

    @property
    def name(self) -> str: ...

    def versions(self) -> list[str]:
        """Return all versions, oldest first."""

    def load(self, version: str) -> T_co:
        """Return one version, or raise FileFault."""


@dataclass(frozen=True)
class JsonFiles(Generic[F]):
    """Versions that are one JSON file each: `<folder>/<prefix><version>.json`.

    `domain` is hashed together with the content. `faults` finds errors that the type cannot
    express.
    """

    key: str
    name: str
    domain: str
    type: type[F]
    folder: Path
    prefix: str = field(default="", kw_only=True)
    faults: Callable[[F], Iterable[str]] = field(default=lambda _: (), kw_only=True)

    @cached_property
    def _adapter(self) -> TypeAdapter[F]:
        return TypeAdapter(self.type)

    def versions(self) -> list[str]:
        """Return all versions, oldest first."""
        found = [path.stem for path in self.folder.glob(f"{self.prefix}*.json")]
        return sorted((stem.removeprefix(self.prefix) for stem in found), key=by_age)

    def load(self, version: str) -> F:
        """Return one version, cached for the process, or raise FileFault."""
        read: F = _load(self, version)
        return read

    def newest(self) -> F:
        """Return the newest version among the files, in use or not."""
        return self.load(self.versions()[-1])

    def parse(self, document: Any) -> F:
        """Return a parsed document, or raise FileFault with everything wrong with it."""
        try:
            canonical = digests.canonical(self.domain, document)
        except digests.NotCanonical as fault:
            raise FileFault(str(fault)) from fault
        read = typed_from(self._adapter, document)
        if faults := list(self.faults(read)):
            raise FileFault("\n".join(faults))
        object.__setattr__(read, "canonical", canonical)
        return read


def typed_from(adapter: TypeAdapter[T], document: Any) -> T:
    """Return a JSON document as a typed object, or raise FileFault with all its errors."""
    try:
        return adapter.validate_json(json.dumps(document))
    except ValidationError as fault:
        raise FileFault("\n".join(_sentences(fault))) from fault


def by_age(version: str) -> list[int]:
    """Return a sort key from a version's numbers: 2026-11 before 2026-11.2 before 2026-11.10."""
    return [int(number) for number in re.findall(r"\d+", version)]


def forget() -> None:
    """Clear the cache, so that files are read again."""
    _load.cache_clear()


@cache
def _load(files: JsonFiles[Any], version: str) -> Any:
    # Only open files that were listed, because the version may be user input.
    if version not in files.versions():
        raise FileFault(f"There is no version {version} of “{files.name}”.")
    path = files.folder / f"{files.prefix}{version}.json"
    try:
        document = json.loads(path.read_bytes(), object_pairs_hook=digests.without_duplicates)
    except ValueError as fault:
        raise FileFault(f"{path.name} cannot be read: {fault}") from fault
    read = files.parse(document)
    if read.version != version:
        raise FileFault(f"{path.name} says that it is the version {read.version}.")
    return read


def _sentences(fault: ValidationError) -> Iterable[str]:
    for one in fault.errors(include_url=False):
        where = ".".join(str(step) for step in one["loc"]) or "The file"
        wrong = _MESSAGES.get(one["type"]) or f"is wrong, {_short(one['input'])}: {one['msg']}"
        yield f"{where} {wrong}."


def _short(said: Any) -> str:
    text = json.dumps(said)
    return text if len(text) < _LONGEST else f"{text[:_LONGEST]}…"
