"""Template versions as files: their contents, lock and reference.

Publishing a version writes `bundle.lock`, which lists every file used with its SHA-256. A published
version is refused if any of its files has changed.
"""

import json
import re
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _
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
    """Raised when the version does not exist, or its files differ from the published ones."""


@typed(frozen=True, config=STRICT, kw_only=True)
class TemplateSchema:
    """Contents of `schema.json`. `facts` maps every fact that the template uses to its type."""

    code: str
    version: str
    title: str
    issued: date
    language: str
    house: str
    facts: dict[str, str]


@typed(frozen=True, config=STRICT, kw_only=True)
class ListedClause:
    """An entry of `clauses.json`: a clause that the template may contain, and its heading."""

    id: str
    title: str


_SCHEMA, _CLAUSES = TypeAdapter(TemplateSchema), TypeAdapter(list[ListedClause])


@dataclass(frozen=True, eq=False)
class Template:
    """One version of one document, read from disk once."""

    code: str
    version: str
    files: dict[str, bytes]  # own files by name, shared files under house/<version>/
    schema: TemplateSchema
    samples: dict[str, Any]  # named sample facts for trying the template

    @property
    def title(self) -> str:
        return self.schema.title

    @property
    def issued(self) -> str:
        """The date this version was published: the only date in the PDF metadata."""
        return self.schema.issued.isoformat()

    @property
    def facts(self) -> dict[str, str]:
        """The facts that the template uses, with their types."""
        return self.schema.facts

    @cached_property
    def clauses(self) -> list[ListedClause]:
        """All numbered clauses that the template may contain, in order. Raises FileFault."""
        return typed_from(_CLAUSES, json.loads(self.files["clauses.json"]))

    @property
    def styles(self) -> list[str]:
        """The style sheets in cascade order: the shared house style first, then its own."""
        return [self.source(name) for name in STYLES]

    def source(self, name: str) -> str:
        """Return the text of one of its own files, or of a shared file."""
        house = f"house/{self.schema.house}/{name}"
        return self.files[name if name in OWN_FILES else house].decode()

    @cached_property
    def lock(self) -> bytes:
        """Canonical JSON that lists every file used; its SHA-256 identifies the template."""
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
        """`agr:<code>@<version>#<sha256>`, which fixes the wording, style and typefaces."""
        return f"agr:{self.code}@{self.version}#{self.sha256}"

    @property
    def short_reference(self) -> str:
        return f"{self.code}@{self.version}"


@dataclass(frozen=True)
class TemplateVersions:
    """The published versions of one document, as a kind of publication."""

    code: str

    @property
    def key(self) -> str:
        return f"template:{self.code}"

    @property
    def name(self) -> str:
        return _("Template %(code)s") % {"code": self.code}

    def versions(self) -> list[str]:
        """Return every published version, oldest first."""
        known = versions(self.code)
        return [one for one in known if _lock_of(self.code, one).is_file()]

    def load(self, version: str) -> Template:
        """Return one version, or raise FileFault."""
        try:
            return load(self.code, version)
        except TemplateRefused as refused:
            raise FileFault(str(refused)) from refused


def codes() -> list[str]:
    """Return the codes of all documents."""
    return sorted({path.parent.parent.name for path in LIBRARY.glob("*/*/schema.json")})


def versions(code: str) -> list[str]:
    """Return every version of a document, oldest first."""
    found = [path.name for path in (LIBRARY / code).glob("*") if FOLDER.fullmatch(path.name)]
    return sorted(found, key=by_age)


def faces() -> str:
    """Return the typefaces of the newest house style, for PDFs other than the documents."""
    newest = versions("house")[-1]
    return (LIBRARY / "house" / newest / "faces.css").read_text("utf-8")


def read(code: str, version: str = "") -> Template:
    """Return a version from its current files, published or not; by default the newest."""
    known = versions(code)
    if not known or version not in ("", *known):
        raise TemplateRefused(f"There is no {code}@{version or 'any version'} in the library.")
    version = version or known[-1]
    folder = LIBRARY / code / version
    files = {name: (folder / name).read_bytes() for name in OWN_FILES}
    try:
        schema = _schema(code, version, files["schema.json"])
    except ValueError as fault:
        raise TemplateRefused(f"schema.json of {code}@{version}: {fault}") from fault
    house = sorted((LIBRARY / "house" / schema.house).iterdir())
    files |= {path.relative_to(LIBRARY).as_posix(): path.read_bytes() for path in house}
    samples = {
        path.stem: json.loads(path.read_text("utf-8")) for path in folder.glob("samples/*.json")
    }
    return Template(code, version, files, schema, samples)


def _schema(code: str, version: str, data: bytes) -> TemplateSchema:
    schema = typed_from(_SCHEMA, json.loads(data, object_pairs_hook=without_duplicates))
    if (schema.code, schema.version) != (code, version):
        raise FileFault(f"It says that it is {schema.code}@{schema.version}.")
    return schema


def load(code: str, version: str = "") -> Template:
    """Return a published version, by default the newest. Raises an error if its files changed."""
    return _load(code, version or (versions(code) or [""])[-1])


@cache
def _load(code: str, version: str) -> Template:
    template = read(code, version)
    if not is_published(template):
        raise TemplateRefused(f"{template.short_reference} is not published.")
    lock = _lock_of(code, template.version)
    if lock.read_bytes() != template.lock:
        raise TemplateRefused(f"{template.short_reference} is not as it was published.")
    return template


def find(reference: str) -> Template:
    """Return the version that a full reference identifies."""
    parts = REFERENCE.fullmatch(reference)
    if not parts:
        raise TemplateRefused(f"“{reference[:80]}” is not the reference of a document.")
    template = load(parts["code"], parts["version"])
    if template.sha256 != parts["sha256"]:
        raise TemplateRefused(
            f"{template.short_reference} is not the wording {parts['sha256'][:12]}."
        )
    return template


def is_published(template: Template) -> bool:
    """Tell whether the version has a lock, valid or not."""
    return _lock_of(template.code, template.version).is_file()


def publish(template: Template) -> None:
    """Write the lock of a version that has none yet."""
    path = _lock_of(template.code, template.version)
    if path.exists() and path.read_bytes() != template.lock:
        raise TemplateRefused(f"{template.short_reference} is published. Make a new version of it.")
    path.write_bytes(template.lock)
    _load.cache_clear()


def _lock_of(code: str, version: str) -> Path:
    return LIBRARY / code / version / "bundle.lock"
