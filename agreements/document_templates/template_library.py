"""Versions of the documents, as files: what one consists of, its lock and its reference.

A version is published by writing `bundle.lock`, which names every file used with its SHA-256.
From then on a version whose files say something else is refused.
"""

import json
import re
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass as typed

from agreements.document_templates import document_fonts
from console.core.digests import canonical, sha256_hex, without_duplicates
from console.publishing.files import STRICT, FileFault, by_age, typed_from

LIBRARY = Path(__file__).parent / "library"
DOMAIN = "agr.template.v1"
OWN_FILES = ("body.html", "style.css", "schema.json", "clauses.json", "summary.md")
STYLES = ("faces.css", "paper.css", "style.css")
REFERENCE = re.compile(
    r"agr:(?P<code>[A-Z][A-Z-]{2,7})@(?P<version>\d+\.\d+\.\d+)#(?P<sha256>[0-9a-f]{64})"
)
FOLDER = re.compile(r"\d+\.\d+\.\d+")


class TemplateRefused(Exception):
    """There is no such version, or its files are not the ones that were published."""


@typed(frozen=True, config=STRICT, kw_only=True)
class TemplateSchema:
    """What `schema.json` says. `facts` names every fact that the wording uses, and its kind."""

    code: str
    version: str
    title: str
    issued: date
    language: str
    house: str
    facts: dict[str, str]


@typed(frozen=True, config=STRICT, kw_only=True)
class ListedClause:
    """One entry of `clauses.json`: a clause that the wording may hold, and its heading."""

    id: str
    title: str


_SCHEMA, _CLAUSES = TypeAdapter(TemplateSchema), TypeAdapter(list[ListedClause])


@dataclass(frozen=True, eq=False)
class Template:
    """One version of one document, read from disk once."""

    code: str
    version: str
    files: dict[str, bytes]  # own files by name, the house's under house/<version>/
    schema: TemplateSchema
    samples: dict[str, Any]  # facts to try the wording with, by name

    @property
    def title(self) -> str:
        return self.schema.title

    @property
    def issued(self) -> str:
        """The day this wording was published: the only date in the PDF."""
        return self.schema.issued.isoformat()

    @property
    def facts(self) -> dict[str, str]:
        """The facts that the wording uses, and the kind of each."""
        return self.schema.facts

    @cached_property
    def clauses(self) -> list[ListedClause]:
        """Every numbered clause the wording may hold, in order; a FileFault says what is wrong."""
        return typed_from(_CLAUSES, json.loads(self.files["clauses.json"]))

    @property
    def summary(self) -> str:
        """The document in a few plain sentences: Markdown, not part of what is signed."""
        return self.files["summary.md"].decode()

    @property
    def styles(self) -> list[str]:
        """The style sheets in the order in which they apply: the house's, then its own."""
        return [self.source(name) for name in STYLES]

    def source(self, name: str) -> str:
        """The text of one own file, or of one house file."""
        house = f"house/{self.schema.house}/{name}"
        return self.files[name if name in OWN_FILES else house].decode()

    @cached_property
    def lock(self) -> bytes:
        """The canonical JSON that names every file used; its SHA-256 is the template's."""
        hashes = {name: sha256_hex(data) for name, data in self.files.items()}
        used = "".join(self.styles)
        for sha256, path in document_fonts.by_sha256().items():
            if sha256 in used:
                hashes[f"fonts/{path.name}"] = sha256
        files = [{"name": name, "sha256": hashes[name]} for name in sorted(hashes)]
        return canonical(DOMAIN, {"code": self.code, "version": self.version, "files": files})

    @cached_property
    def sha256(self) -> str:
        return sha256_hex(self.lock)

    @property
    def reference(self) -> str:
        """`agr:<code>@<version>#<sha256>`: exactly this wording, style and typeface."""
        return f"agr:{self.code}@{self.version}#{self.sha256}"

    @property
    def short_reference(self) -> str:
        return f"{self.code}@{self.version}"


@dataclass(frozen=True)
class TemplateVersions:
    """The published versions of one document, as versions that are put in use."""

    code: str
    library: Path = LIBRARY

    @property
    def key(self) -> str:
        return f"template:{self.code}"

    @property
    def name(self) -> str:
        return f"Template {self.code}"

    def versions(self) -> list[str]:
        """Return every version that has a lock, oldest first."""
        known = versions(self.code, self.library)
        return [one for one in known if _lock_of(self.code, one, self.library).is_file()]

    def load(self, version: str) -> Template:
        """Return one version, or raise FileFault."""
        try:
            return load(self.code, version, self.library)
        except TemplateRefused as refused:
            raise FileFault(str(refused)) from refused


def codes(library: Path = LIBRARY) -> list[str]:
    """Every document there is, by code."""
    return sorted({path.parent.parent.name for path in library.glob("*/*/schema.json")})


def versions(code: str, library: Path = LIBRARY) -> list[str]:
    """Every version of a document, oldest first."""
    found = [path.name for path in (library / code).glob("*") if FOLDER.fullmatch(path.name)]
    return sorted(found, key=by_age)


def faces() -> str:
    """The typefaces of the newest house style, for what is rendered beside the documents."""
    newest = versions("house")[-1]
    return (LIBRARY / "house" / newest / "faces.css").read_text("utf-8")


def read(code: str, version: str = "", library: Path = LIBRARY) -> Template:
    """A version as its files are now, published or not; the newest unless one is named."""
    known = versions(code, library)
    if not known or version not in ("", *known):
        raise TemplateRefused(f"There is no {code}@{version or 'any version'} in the library.")
    version = version or known[-1]
    folder = library / code / version
    files = {name: (folder / name).read_bytes() for name in OWN_FILES}
    try:
        schema = _schema(code, version, files["schema.json"])
    except ValueError as fault:
        raise TemplateRefused(f"schema.json of {code}@{version}: {fault}") from fault
    house = sorted((library / "house" / schema.house).iterdir())
    files |= {path.relative_to(library).as_posix(): path.read_bytes() for path in house}
    samples = {
        path.stem: json.loads(path.read_text("utf-8")) for path in folder.glob("samples/*.json")
    }
    return Template(code, version, files, schema, samples)


def _schema(code: str, version: str, data: bytes) -> TemplateSchema:
    schema = typed_from(_SCHEMA, json.loads(data, object_pairs_hook=without_duplicates))
    if (schema.code, schema.version) != (code, version):
        raise FileFault(f"It says that it is {schema.code}@{schema.version}.")
    return schema


def load(code: str, version: str = "", library: Path = LIBRARY) -> Template:
    """A published version, the newest unless one is named; refused when its files changed."""
    return _load(code, version or (versions(code, library) or [""])[-1], library)


@cache
def _load(code: str, version: str, library: Path) -> Template:
    template = read(code, version, library)
    if not is_published(template, library):
        raise TemplateRefused(f"{template.short_reference} is not published.")
    lock = _lock_of(code, template.version, library)
    if lock.read_bytes() != template.lock:
        raise TemplateRefused(f"{template.short_reference} is not as it was published.")
    return template


def find(reference: str, library: Path = LIBRARY) -> Template:
    """The version that a full reference names, to the last byte."""
    parts = REFERENCE.fullmatch(reference)
    if not parts:
        raise TemplateRefused(f"“{reference[:80]}” is not the reference of a document.")
    template = load(parts["code"], parts["version"], library)
    if template.sha256 != parts["sha256"]:
        raise TemplateRefused(
            f"{template.short_reference} is not the wording {parts['sha256'][:12]}."
        )
    return template


def is_published(template: Template, library: Path = LIBRARY) -> bool:
    """Whether the version has a lock, right or wrong."""
    return _lock_of(template.code, template.version, library).is_file()


def publish(template: Template, library: Path = LIBRARY) -> None:
    """Write the lock of a version that has none yet."""
    path = _lock_of(template.code, template.version, library)
    if path.exists() and path.read_bytes() != template.lock:
        raise TemplateRefused(f"{template.short_reference} is published. Make a new version of it.")
    path.write_bytes(template.lock)
    _load.cache_clear()


def _lock_of(code: str, version: str, library: Path) -> Path:
    return library / code / version / "bundle.lock"
