"""Versions of the restricted list: the first is a file, later ones are proposed by compliance.

They are a kind of `console.publishing`: another person of compliance puts a version in use, and
every page and every call reads the version in use.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from console.accounts import access
from console.accounts.models import User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core import clock, digests
from console.core.refusals import ReasonMissing, Refused
from console.core.text import says_something
from console.publishing import in_use, publications
from console.publishing.files import FileFault
from console.publishing.in_use import NotPublished
from console.publishing.models import Publication
from console.publishing.published_kinds import Kind
from onboarding.restrictions.models import ListChange, RestrictedListVersion
from onboarding.restrictions.restricted_list import (
    LISTS,
    ListUnreadable,
    RestrictedEntry,
    RestrictedList,
    RestrictionScope,
)


class UnusableEntry(Refused):
    """The entry is invalid, or changes nothing."""

    code = "unusable_entry"


class ListVersions:
    """The file and the entered versions, as a kind of publication."""

    key, name = LISTS.key, gettext_noop("Restricted countries")

    def versions(self) -> list[str]:
        """Return all versions, oldest first."""
        rows = RestrictedListVersion.objects.order_by("pk")
        return [*LISTS.versions(), *rows.values_list("version", flat=True)]

    def load(self, version: str) -> RestrictedList:
        """Return one version, cached for the process, or raise FileFault."""
        return _load(version)


VERSIONS = ListVersions()
KIND = Kind(
    VERSIONS,
    Permission.RESTRICTION_CHANGE,
    Permission.RESTRICTION_CHANGE,
    page="restrictions:entries",
)


def in_force() -> RestrictedList:
    """Return the list in use, or raise ListUnreadable. Queries the database on each call."""
    try:
        return in_use.current(VERSIONS)
    except (NotPublished, FileFault, OSError) as fault:
        raise ListUnreadable(str(fault)) from fault


@transaction.atomic
def propose(entry: Mapping[str, Any], *, reason: str, by: User) -> Publication:
    """Propose the list with this entry added, or in place of the entry with its code."""
    access.require(by, KIND.propose)
    said = reason.strip()
    if not says_something(said):
        raise ReasonMissing(_("Say why. A sentence is enough."))
    publications.lock(KIND)
    before, code = in_force(), str(entry["code"])
    was = next((as_document(one) for one in before.entries if one.code == code), None)
    if was == entry:
        raise UnusableEntry(_("Nothing is different from the list in use."))
    others = [as_document(one) for one in before.entries if one.code != code]
    version = _keep([*others, dict(entry)], was=was, reason=said)
    publication = publications.propose(KIND, version.version, by=by)
    audit.record(
        "restriction.entered", version, by=by, before=was or {}, after=dict(entry), reason=said
    )
    return publication


def as_document(entry: RestrictedEntry) -> dict[str, Any]:
    """Return an entry as a list's document states it, without empty members."""
    every = entry.scopes == frozenset(RestrictionScope)
    stated = {
        "code": entry.code,
        "name": entry.name,
        "scopes": "all" if every else sorted(entry.scopes),
        "basis": entry.basis,
        "from": entry.since.isoformat(),
        "until": entry.until.isoformat() if entry.until else "",
        "also": list(entry.also),
        "postcodes": sorted(entry.postcodes),
        "under": {country: list(names) for country, names in entry.under.items()},
    }
    return {member: value for member, value in stated.items() if value}


def _keep(
    entries: list[dict[str, Any]], *, was: dict[str, Any] | None, reason: str
) -> RestrictedListVersion:
    """Store a list whose last entry is new or changed, or return the same one of today."""
    entry = entries[-1]
    content = {"entries": entries, "note": reason}
    # By content, because `_load` caches by version.
    number = digests.digest(LISTS.domain, content)[:8]
    document = {"version": f"{clock.now():%Y-%m-%d}-{number}", **content}
    try:
        LISTS.parse(document)
    except FileFault as fault:
        raise UnusableEntry(_("You cannot use this entry: %(fault)s") % {"fault": fault}) from fault
    change = ListChange.CHANGE if was else ListChange.ADD
    if was and entry.get("until") and not was.get("until"):
        change = ListChange.END
    made = {"document": document, "change": change, "code": entry["code"], "reason": reason}
    version, _made = RestrictedListVersion.objects.get_or_create(made, version=document["version"])
    return version


@cache
def _load(version: str) -> RestrictedList:
    if version in LISTS.versions():
        return LISTS.load(version)
    row = RestrictedListVersion.objects.filter(version=version).first()
    if row is None:
        raise FileFault(f"There is no version {version} of the restricted list.")
    read = LISTS.parse(row.document)
    if read.version != version:
        raise FileFault(f"The version {version} says that it is {read.version}.")
    return read
