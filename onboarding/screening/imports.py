"""Import a version of a sanctions list: all of it in one transaction, or refused with a reason."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils.dateparse import parse_datetime

from console.accounts.actors import Actor
from console.audit import log as audit
from console.core import clock
from console.events import work_claims
from onboarding.screening.formats import eu, ofac, opensanctions, uk, un
from onboarding.screening.formats.parties import ListedParty, UnusableList
from onboarding.screening.models import ListEntry, ListKind, ListName, ListVersion
from onboarding.screening.names import KEYS_VERSION, name_keys, normal_form
from onboarding.screening.sources import StagedList

READERS: dict[str, Callable[[Path], Iterator[ListedParty]]] = {
    ListKind.OFAC: ofac.read,
    ListKind.UN: un.read,
    ListKind.EU: eu.read,
    ListKind.UK: uk.read,
    ListKind.OPENSANCTIONS: opensanctions.read,
}
# A list that loses a larger part of its entries is refused until staff accept it.
MOST_LOST = 0.05
_AT_ONCE = 500
# How each publisher writes the date at the beginning of a file.
_PUBLISHED = (
    (re.compile(r'(?:dateGenerated|generationDate)="([^"]+)"'), ""),
    (re.compile(r"<DateGenerated>(\d\d/\d\d/\d{4})"), "%d/%m/%Y"),
    (re.compile(r"Report Date: (\d\d?-\w{3}-\d{4})"), "%d-%b-%Y"),
)
_BEGINNING = 2000


@dataclass
class _Progress:
    """What one import has found and written so far."""

    version: ListVersion
    current: dict[str, tuple[int, str]]
    names_before: int = 0
    seen: set[str] = field(default_factory=set)
    names: int = 0


def import_list(
    kind: ListKind, staged: StagedList, *, accepts_loss: bool = False, by: Actor
) -> ListVersion:
    """Put the files in force, or refuse them. Files that are in force already change nothing."""
    try:
        return _import(kind, staged, accepts_loss=accepts_loss, by=by)
    except UnusableList as unusable:
        return refuse(kind, staged.source, staged.sha256, str(unusable), by=by)


def confirm(version: ListVersion) -> ListVersion:
    """Note that the source still has this version, which is not a change."""
    version.checked_at = clock.now()
    version.save(update_fields=["checked_at", "source", "validators"])
    return version


@transaction.atomic
def refuse(kind: ListKind, source: str, sha256: str, reason: str, *, by: Actor) -> ListVersion:
    """Record files that cannot be used. The same files are recorded once for each reason."""
    now = clock.now()
    last = ListVersion.objects.filter(kind=kind).order_by("-pk").first()
    if last is not None and (last.sha256, last.refused_because) == (sha256, reason):
        last.source = source
        return confirm(last)
    version = ListVersion.objects.create(
        kind=kind, source=source, sha256=sha256, imported_at=now, checked_at=now,
        refused_because=reason,
    )  # fmt: skip
    audit.record("sanctions_list.refused", version, by=by, list=kind, reason=reason, sha256=sha256)
    return version


@transaction.atomic
def _import(kind: ListKind, staged: StagedList, *, accepts_loss: bool, by: Actor) -> ListVersion:
    work_claims.lock(work_claims.SANCTIONS_LISTS, ListKind.values.index(kind))
    published = _published(staged.path)
    former = ListVersion.objects.filter(kind=kind).in_force().first()
    if former is not None:
        if former.sha256 == staged.sha256:
            former.source, former.validators = staged.source, dict(staged.validators)
            return confirm(former)
        _refuse_older(former, published)
    version = _replace(former, kind, staged, published)
    entries = ListEntry.objects.filter(kind=kind).current()
    current = {uid: (pk, sha) for uid, pk, sha in entries.values_list("uid", "pk", "sha256")}
    progress = _Progress(version, current, former.name_count if former else 0)
    for parties in _batches(READERS[kind](staged.path)):
        _write(parties, progress)
    _finish(progress, accepts_loss=accepts_loss)
    audit.record(
        "sanctions_list.in_force", version, by=by,
        list=kind, source=staged.source, sha256=staged.sha256, entries=version.entry_count,
    )  # fmt: skip
    return version


def _refuse_older(former: ListVersion, published: datetime | None) -> None:
    if published and former.published_at and published < former.published_at:
        raise UnusableList(
            f"It was published on {published:%-d %B %Y}, before the version in force."
        )


def _replace(
    former: ListVersion | None, kind: str, staged: StagedList, published: datetime | None
) -> ListVersion:
    now = clock.now()
    if former is not None:
        former.superseded_at = now
        former.save(update_fields=["superseded_at"])
    return ListVersion.objects.create(
        kind=kind, source=staged.source, sha256=staged.sha256, published_at=published,
        imported_at=now, checked_at=now, in_force_from=now, validators=dict(staged.validators),
    )  # fmt: skip


def _batches(parties: Iterator[ListedParty]) -> Iterator[list[ListedParty]]:
    while batch := list(islice(parties, _AT_ONCE)):
        yield batch


def _write(parties: list[ListedParty], progress: _Progress) -> None:
    """Write the entries that are new or have changed, and their names."""
    changed, gone = [], []
    for party in parties:
        if not party.uid or party.uid in progress.seen:
            raise UnusableList(f"The entry “{party.uid}” has no number of its own.")
        progress.seen.add(party.uid)
        progress.names += len(party.names)
        pk, sha256 = progress.current.get(party.uid, (0, ""))
        if sha256 != party.sha256:
            changed.append(party)
            gone += [pk] if pk else []
    ListEntry.objects.filter(pk__in=gone).update(gone=progress.version)
    entries = ListEntry.objects.bulk_create(_entry(one, progress.version) for one in changed)
    ListName.objects.bulk_create(_names(zip(entries, changed, strict=True)))


def _entry(party: ListedParty, version: ListVersion) -> ListEntry:
    columns: dict[str, Any] = {
        name: getattr(party, name)
        for name in (
            *("uid", "type", "programme", "birth_dates", "countries", "identifiers", "url"),
            *("details", "sha256"),
        )
    }
    return ListEntry(kind=version.kind, name=party.names[0][0], since=version, **columns)


def _names(written: Iterable[tuple[ListEntry, ListedParty]]) -> Iterator[ListName]:
    for entry, party in written:
        for name, kind in party.names:
            yield ListName(
                entry=entry, name=name, kind=kind, normal=normal_form(name), keys=name_keys(name),
                keys_version=KEYS_VERSION,
            )  # fmt: skip


def _finish(progress: _Progress, *, accepts_loss: bool) -> None:
    """Mark the entries that are gone and note the counts, or refuse a list that lost too many."""
    lost = progress.current.keys() - progress.seen
    if not progress.seen:
        raise UnusableList("The file contains no entry.")
    if len(lost) > MOST_LOST * len(progress.current) and not accepts_loss:
        raise UnusableList(
            f"It lacks {len(lost)} of the {len(progress.current)} entries in force. If the "
            "publisher removed them, import it with --accept-loss."
        )
    if progress.names < (1 - MOST_LOST) * progress.names_before and not accepts_loss:
        raise UnusableList(
            f"It has {progress.names} names instead of {progress.names_before}. If the publisher "
            "removed them, import it with --accept-loss."
        )
    gone = [progress.current[uid][0] for uid in lost]
    ListEntry.objects.filter(pk__in=gone).update(gone=progress.version)
    progress.version.entry_count = len(progress.seen)
    progress.version.name_count = progress.names
    progress.version.save(update_fields=["entry_count", "name_count"])


def _published(path: Path) -> datetime | None:
    """Return the date of publication, if the file has one."""
    if path.is_dir():
        return None
    with path.open(encoding="utf-8", errors="replace") as file:
        beginning = file.read(_BEGINNING)
    for pattern, form in _PUBLISHED:
        if found := pattern.search(beginning):
            return _moment(found[1], form)
    return None


def _moment(text: str, form: str) -> datetime | None:
    try:
        moment = datetime.strptime(text, form) if form else parse_datetime(text)  # noqa: DTZ007
    except ValueError:
        return None
    return moment.replace(tzinfo=moment.tzinfo or UTC) if moment else None
