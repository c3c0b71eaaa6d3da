"""The one loader of versioned files: typed, no member unknown, hashed in the canonical form.

A package declares the type of its file, below VersionedFile, and where its versions lie:

    EDITIONS = JsonFiles("questionnaire", "Questionnaire", "onboarding.edition.v1", Edition, FOLDER)
    EDITIONS.load("2026-11")  -> the edition, or FileFault with all that is wrong with it
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

# What a file holds is exactly what its type says: no other member, and no text for a number.
STRICT = ConfigDict(extra="forbid", strict=True)
# So much of what a wrong member says is told.
_LONGEST = 60
_MESSAGES = {
    "missing": "is missing",
    "unexpected_keyword_argument": "is not known",
    "extra_forbidden": "is not known",
}


class FileFault(ValueError):
    """There is no such file, or it cannot be used. The message lists what is wrong with it."""


@typed(frozen=True, config=STRICT, kw_only=True)
class VersionedFile:
    """What every versioned file says: its version. `canonical` is the form that is hashed."""

    version: str
    canonical: bytes = field(default=b"", init=False, repr=False)

    @property
    def sha256(self) -> str:
        """The SHA-256 of the canonical form, in lower-case hex."""
        return digests.sha256_hex(self.canonical)


class Hashed(Protocol):
    """One version of a file, read."""

    @property
    def version(self) -> str: ...

    @property
    def sha256(self) -> str: ...


T = TypeVar("T")
T_co = TypeVar("T_co", bound=Hashed, covariant=True)
F = TypeVar("F", bound=VersionedFile)


class Files(Protocol[T_co]):
    """All versions of one kind of file. `key` names the kind for ever: rows are kept under it."""

    @property
    def key(self) -> str: ...

    @property
    def name(self) -> str: ...

    def versions(self) -> list[str]:
        """Return every version there is, oldest first."""

    def load(self, version: str) -> T_co:
        """Return one version, or raise FileFault."""


def _nothing_wrong(_: Any) -> Iterable[str]:
    return ()


@dataclass(frozen=True)
class JsonFiles(Generic[F]):
    """Versions that are one JSON file each: `<folder>/<prefix><version>.json`.

    `domain` is what their hash is over, beside the content; `faults` finds what a type cannot say.
    """

    key: str
    name: str
    domain: str
    type: type[F]
    folder: Path
    prefix: str = field(default="", kw_only=True)
    faults: Callable[[F], Iterable[str]] = field(default=_nothing_wrong, kw_only=True)

    @cached_property
    def _adapter(self) -> TypeAdapter[F]:
        return TypeAdapter(self.type)

    def versions(self) -> list[str]:
        """Return every version there is, oldest first."""
        found = [path.stem for path in self.folder.glob(f"{self.prefix}*.json")]
        return sorted((stem.removeprefix(self.prefix) for stem in found), key=by_age)

    def load(self, version: str) -> F:
        """Return one version, read once in a process, or raise FileFault."""
        read: F = _load(self, version)
        return read

    def newest(self) -> F:
        """Return the newest version that lies here, whether it is in use or not."""
        return self.load(self.versions()[-1])

    def parse(self, document: Any) -> F:
        """Return what a document says, or raise FileFault with all that is wrong with it."""
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
    """Return what a JSON document says, typed, or raise FileFault with all that is wrong."""
    try:
        return adapter.validate_json(json.dumps(document))
    except ValidationError as fault:
        raise FileFault("\n".join(_sentences(fault))) from fault


def by_age(version: str) -> list[int]:
    """Sort versions by the numbers in them: 2026-11 before 2026-11.2 before 2026-11.10."""
    return [int(number) for number in re.findall(r"\d+", version)]


def forget() -> None:
    """Read every file anew when it is next asked for."""
    _load.cache_clear()


@cache
def _load(files: JsonFiles[Any], version: str) -> Any:
    # The name is looked for among those there are: it may come from outside.
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
