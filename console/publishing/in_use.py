"""Versions in use, now or earlier, loaded only if their hash is in the table of publications.

current(EDITIONS)              -> the edition in use, in one query
versions(RULESETS, LAW_TABLES) -> {"ruleset": "2026-11.2", ...}, in one query
load(EDITIONS, "2026-11")      -> an edition that is or was in use
"""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from django.utils.translation import gettext as _

from console.core.refusals import NotReady
from console.publishing import published_kinds
from console.publishing.files import FileFault, Files, Hashed
from console.publishing.models import Publication

H = TypeVar("H", bound=Hashed)
# Kind, version and hash of what was put in use. Rows never change, so the cache stays valid.
_seen: set[tuple[str, str, str]] = set()


class NotPublished(NotReady):
    """The file was never put in use."""

    code = "not_published"


def versions(*files: Files[Any]) -> dict[str, str]:
    """Return the version in use of each kind, by its key."""
    rows = Publication.objects.filter(kind__in=[one.key for one in files]).in_use()
    found = {row.kind: row.version for row in _note(rows)}
    for one in files:
        if one.key not in found:
            raise NotPublished(f"No version of “{one.name}” is in use yet: run `prepare`.")
    return found


def current(files: Files[H]) -> H:
    """Return the version in use, or raise NotPublished if its file has changed."""
    return load(files, versions(files)[files.key])


def load(files: Files[H], version: str) -> H:
    """Return a version that is or was in use, or raise NotPublished. Each is queried only once."""
    return load_all([(files, version)])[0]


def load_all(wanted: Sequence[tuple[Files[H], str]]) -> list[H]:
    """Return versions of several kinds, as `load` would, in one query."""
    found = [files.load(version) for files, version in wanted]
    asked = {
        (files.key, one.version, one.sha256) for (files, _), one in zip(wanted, found, strict=True)
    }
    if unknown := asked - _seen:
        _note(Publication.objects.put_in_use().filter(kind__in={row[0] for row in unknown}))
    for kind, version, sha256 in sorted(asked - _seen):
        raise NotPublished(_why_not(kind, version, sha256))
    return found


def ever(kind_keys: Iterable[str]) -> set[tuple[str, str]]:
    """Return the kind and version of everything that is or was in use, of these kinds."""
    rows = Publication.objects.put_in_use().filter(kind__in=list(kind_keys))
    return set(rows.values_list("kind", "version"))


def changed_files() -> list[str]:
    """Return a sentence for each file that was changed or deleted after it was put in use."""
    rows = Publication.objects.put_in_use().order_by("kind", "in_use_from", "pk")
    return [sentence for row in rows for sentence in _compare(row)]


def _compare(row: Publication) -> Iterable[str]:
    kind = published_kinds.find(row.kind)
    if kind is None:
        yield _("No package knows the kind %(kind)s, of which %(version)s was put in use.") % {
            "version": row.version,
            "kind": row.kind,
        }
        return
    try:
        found = kind.files.load(row.version)
    except FileFault as fault:
        yield _("%(name)s %(version)s was put in use and cannot be read: %(fault)s") % {
            "name": kind.name,
            "version": row.version,
            "fault": fault,
        }
        return
    if found.sha256 != row.sha256:
        yield _changed(kind.name, row.version, found.sha256, row.sha256)


def _note(rows: Iterable[Publication]) -> list[Publication]:
    found = list(rows)
    _seen.update((row.kind, row.version, row.sha256) for row in found)
    return found


def _why_not(kind: str, version: str, sha256: str) -> str:
    known = published_kinds.find(kind)
    name = known.name if known else kind
    for seen_kind, seen_version, seen_sha256 in _seen:
        if (seen_kind, seen_version) == (kind, version):
            return _changed(name, version, sha256, seen_sha256)
    return f"{name} {version} was never put in use."


def _changed(name: str, version: str, sha256: str, was: str) -> str:
    return _(
        "%(name)s %(version)s is not the file that was put in use: its SHA-256 is %(now)s… and was "
        "%(before)s…. Restore that file, and make the change in a new version."
    ) % {"name": name, "version": version, "now": sha256[:12], "before": was[:12]}
