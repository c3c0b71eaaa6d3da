"""Published heads of the audit chain, stored as rows and as records in the document store.

    publish()        -> the row for the current head, or for the one in a bundle
    compare()        -> the faults found by comparing the chain with every published head
    keep_check()     -> the row that stores the result of a comparison
    accept_restore() -> the accepted restore, which lost the heads published after the backup

To rewrite the chain, an attacker would have to rewrite the rows, the records and every copy that
others have. A row without its record is not published: SQL alone cannot write records.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import orjson
from django.db import transaction
from django.db.models import Q, QuerySet

from console.audit import chain, chain_checks, log, restores
from console.audit.chain import Anchor, ChainFault
from console.audit.log import EntryActor
from console.audit.models import ChainCheck, ChainLink, Channel, PublishedHead
from console.audit.record_folder import RecordFolder
from console.core import clock

__all__ = ["Anchor", "Channel", "compare", "keep_check", "known", "publish", "published"]

RECORDS = RecordFolder(
    "audit/heads",
    {"chain": str, "count": int, "hash": str, "at": str, "channel": str, "about": str},
)
# The largest plausible difference between the clocks of two machines.
_AHEAD = timedelta(hours=1)
# How many findings are stored in full; the rest are only counted.
_TOLD = 20


@transaction.atomic
def publish(
    channel: Channel,
    *,
    about: str,
    by: EntryActor,
    head: Anchor,
    at: datetime | None = None,
) -> PublishedHead:
    """Publish a head and return its row. Idempotent for each day or pack.

    The head was read before this transaction, so its links stay even if this is rolled back: the
    record is written first, so that no row is ever without it.
    """
    if found := _find(channel, about):
        return found
    row = PublishedHead(
        chain=chain.MAIN,
        count=head.count,
        hash=head.hash,
        at=at or clock.now(),
        channel=channel,
        about=about,
    )
    RECORDS.add(_record(row))
    row.save()
    log.record(
        "audit.head_published", row, by=by,
        channel=str(channel), about=about, count=row.count, hash=row.hash,
    )  # fmt: skip
    return row


def anchor() -> Anchor:
    """Link what is committed, and return the head, as it is published."""
    chain.link()
    return stored()


def stored() -> Anchor:
    """Return the head without linking what was committed since."""
    head = chain.stored_head()
    return Anchor(head.count, head.hash)


def is_published(channel: Channel, about: str) -> bool:
    return _find(channel, about) is not None


def _find(channel: Channel, about: str) -> PublishedHead | None:
    """Return the head of that publication. Ignore rows without a record."""
    rows = PublishedHead.objects.filter(channel=channel, about=about).order_by("pk")
    return next((row for row in rows if RECORDS.has(_record(row))), None)


def first_published_at() -> datetime | None:
    return published().values_list("at", flat=True).last()


def last_night() -> PublishedHead | None:
    """Return the newest nightly head."""
    rows = published().filter(channel=Channel.NIGHTLY, at__lte=clock.now())
    return next((row for row in rows.iterator(100) if RECORDS.has(_record(row))), None)


def published() -> QuerySet[PublishedHead]:
    """Return all published heads, newest first."""
    return PublishedHead.objects.order_by("-at", "-pk")


@dataclass(frozen=True)
class Known:
    """Every published head, and what is wrong with their records."""

    anchors: frozenset[Anchor]
    findings: list[ChainFault]


def known() -> Known:
    """Read the heads from the rows and the records. Every row must have its record.

    Heads that an accepted restore lost are left out.
    """
    records, wrong = RECORDS.all()
    accepted, wrong_restores = restores.accepted()
    findings = [ChainFault(-1, one) for one in [*wrong, *wrong_restores]]
    recorded, anchors, lost = {_values(said) for said in records}, set[Anchor](), 0
    for said in (*records, *map(_record, published().iterator())):
        lost += _values(said) not in recorded
        if said["chain"] == chain.MAIN:
            anchors.add(Anchor(said["count"], said["hash"]))
    if lost:
        findings.append(ChainFault(-1, f"{lost} published heads are not in {RECORDS.name}"))
    if early := published().filter(_of_a_time_to_come()).count():
        # A head dated in the future would later take the place of that night's own head.
        findings.append(ChainFault(-1, f"{early} of the published heads claim a time to come"))
    gone = {Anchor(*one) for restore in accepted for one in restore.lost}
    return Known(frozenset(anchors - gone), findings)


class NotRestored(Exception):
    """Raised when the log differs from a head that a restore to that entry would have kept."""


def lost() -> list[Anchor]:
    """Return the published heads that the chain does not have."""
    anchors = known().anchors
    links = ChainLink.objects.filter(chain=chain.MAIN, seq__in={one.count for one in anchors})
    there = {Anchor(0, chain.START), *(Anchor(*one) for one in links.values_list("seq", "hash"))}
    return sorted(anchors - there, key=lambda one: (one.count, one.hash))


@transaction.atomic
def accept_restore(*, because: str, by: EntryActor, count: int | None = None) -> restores.Restore:
    """Accept that a restore to entry `count`, by default the last, lost the heads after it."""
    end = anchor()
    count = end.count if count is None else count
    gone = lost()
    if wrong := [one for one in gone if one.count <= count]:
        raise NotRestored(
            f"The log differs from the head that was published at entry {wrong[0].count}. A "
            f"restore to entry {count} does not explain that."
        )
    at = ChainLink.objects.filter(chain=chain.MAIN, seq=count).values_list("hash", flat=True)
    return restores.keep(
        count,
        at.first() or chain.START,
        [[one.count, one.hash] for one in gone],
        because=because,
        by=by,
    )


def is_later(data: bytes, count: int) -> bool:
    """Tell whether a stored record is of a head after that entry."""
    return bool(orjson.loads(data)["count"] > count)


def _of_a_time_to_come() -> Q:
    latest = clock.now() + _AHEAD
    day = latest.date().isoformat()
    return Q(at__gt=latest) | Q(channel=Channel.NIGHTLY, about__gt=day)


@dataclass(frozen=True)
class Comparison:
    """The result of verifying the chain: the number of entries and heads, and the faults."""

    entries: int
    heads: int
    findings: list[ChainFault]


def compare() -> Comparison:
    """Compare the whole chain with every published head. Changes nothing."""
    heads = known()
    seen = chain.walk(heads.anchors)
    forged = [ChainFault(-1, fault) for fault in chain_checks.faults()]
    return Comparison(seen.count, len(heads.anchors), [*heads.findings, *forged, *seen.findings])


def keep_check(found: Comparison) -> ChainCheck:
    """Store the result of a comparison."""
    return chain_checks.keep(
        entries=found.entries,
        heads=found.heads,
        found=len(found.findings),
        findings=[str(finding) for finding in found.findings[:_TOLD]],
    )


def _record(row: PublishedHead) -> dict[str, Any]:
    return {
        "chain": row.chain,
        "count": row.count,
        "hash": row.hash,
        "at": clock.iso(row.at),
        "channel": str(row.channel),
        "about": row.about,
    }


def _values(said: dict[str, Any]) -> tuple[object, ...]:
    return tuple(said[name] for name in RECORDS.members)
