"""The ends of the chain that others were told: kept as rows, and in a file that only grows.

    publish()    -> the row; keeps where the chain ends now, or ended when a bundle was made
    compare()    -> what is wrong, by every head in the rows and in the file
    keep_check() -> the row that says what a comparison found

Whoever rewrites the chain must rewrite the rows, the file, and every copy that somebody else has.
A row counts as published only with its line: SQL alone cannot write the file.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from console.audit import chain, chain_checks, log
from console.audit.chain import Anchor, ChainFault
from console.audit.growing_file import GrowingFile
from console.audit.log import EntryActor
from console.audit.models import ChainCheck, Channel, PublishedHead
from console.core import clock

__all__ = ["Anchor", "Channel", "compare", "keep_check", "known", "publish", "published"]

FILE = GrowingFile(
    "audit-heads.jsonl",
    {"chain": str, "count": int, "hash": str, "at": str, "channel": str, "about": str},
)
# The clocks of two machines may differ by so much, and hardly by more.
_AHEAD = timedelta(hours=1)
# So many findings are kept in words; the rest are counted.
_TOLD = 20


@transaction.atomic
def publish(
    channel: Channel,
    *,
    about: str,
    by: EntryActor,
    head: Anchor | None = None,
    at: datetime | None = None,
) -> PublishedHead:
    """Keep a head as published, and return it. Twice for one day or one pack is once.

    It is where the chain ends now, unless a head is given: one that stands in a bundle by now.
    The file is written first, so that no row is without its line, whatever breaks off here.
    """
    if found := _find(channel, about):
        return found
    end = head or anchor()
    row = PublishedHead(
        chain=chain.MAIN,
        count=end.count,
        hash=end.hash,
        at=at or clock.now(),
        channel=channel,
        about=about,
    )
    FILE.append(_line(row))
    row.save()
    log.record(
        "audit.head_published", row, by=by,
        channel=str(channel), about=about, count=row.count, hash=row.hash,
    )  # fmt: skip
    return row


def anchor() -> Anchor:
    """Return where the chain ends now, as it is published."""
    head = chain.head()
    return Anchor(head.count, head.hash)


def is_published(channel: Channel, about: str) -> bool:
    return _find(channel, about) is not None


def _find(channel: Channel, about: str) -> PublishedHead | None:
    """Return the head of that publication: a row that somebody else wrote stands for none."""
    rows = list(PublishedHead.objects.filter(channel=channel, about=about).order_by("pk"))
    kept = _in_file() if rows else set()
    return next((row for row in rows if _values(_line(row)) in kept), None)


def first_published_at() -> datetime | None:
    """Return since when heads are published here."""
    return published().values_list("at", flat=True).last()


def last_night() -> PublishedHead | None:
    """Return the newest head that a night published."""
    kept = _in_file()
    rows = published().filter(channel=Channel.NIGHTLY, at__lte=clock.now())
    return next((row for row in rows.iterator(100) if _values(_line(row)) in kept), None)


def published() -> QuerySet[PublishedHead]:
    """Return every head that was published, the newest first."""
    return PublishedHead.objects.order_by("-at", "-pk")


@dataclass(frozen=True)
class Known:
    """Every head that was published, and what is wrong with the file that keeps them."""

    anchors: frozenset[Anchor]
    findings: list[ChainFault]


def known() -> Known:
    """Read the heads of the rows and of the file; each row must have its line there."""
    lines, wrong = FILE.lines()
    findings = [ChainFault(-1, one) for one in wrong]
    in_file, anchors, lost = {_values(line) for line in lines}, set[Anchor](), 0
    for said in [*lines, *map(_line, published().iterator())]:
        lost += _values(said) not in in_file
        if said["chain"] == chain.MAIN:
            anchors.add(Anchor(said["count"], said["hash"]))
    if lost:
        findings.append(ChainFault(-1, f"{lost} published heads are not in {FILE.name}"))
    if early := published().filter(_of_a_time_to_come()).count():
        # It would stand where that night's own belongs, which then is neither kept nor told.
        findings.append(ChainFault(-1, f"{early} of the published heads claim a time to come"))
    return Known(frozenset(anchors), findings)


def _of_a_time_to_come() -> Q:
    latest = clock.now() + _AHEAD
    day = latest.date().isoformat()
    return Q(at__gt=latest) | Q(channel=Channel.NIGHTLY, about__gt=day)


@dataclass(frozen=True)
class Comparison:
    """What a walk along the chain found, with so many entries and heads."""

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
    """Keep what a comparison found."""
    return chain_checks.keep(
        entries=found.entries,
        heads=found.heads,
        found=len(found.findings),
        findings=[str(finding) for finding in found.findings[:_TOLD]],
    )


def _line(row: PublishedHead) -> dict[str, Any]:
    return {
        "chain": row.chain,
        "count": row.count,
        "hash": row.hash,
        "at": clock.iso(row.at),
        "channel": str(row.channel),
        "about": row.about,
    }


def _values(line: dict[str, Any]) -> tuple[object, ...]:
    return tuple(line[name] for name in FILE.members)


def _in_file() -> set[tuple[object, ...]]:
    return {_values(line) for line in FILE.lines()[0]}
