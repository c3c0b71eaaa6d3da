"""The ends of the chain that others were told: kept as rows, and in a file that only grows.

    publish()    -> the row; keeps where the chain ends now, or ended when a bundle was made
    compare()    -> what is wrong, by every head in the rows and in the file
    keep_check() -> the row that says what a comparison found

Whoever rewrites the chain must rewrite the rows, the file, and every copy that somebody else has.
"""

import fcntl
import os
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet

from console.audit import chain, log
from console.audit.chain import Anchor, ChainFault
from console.audit.models import ChainCheck, Channel, PublishedHead
from console.core import clock

if TYPE_CHECKING:
    from console.accounts.actors import Actor

__all__ = ["Anchor", "Channel", "compare", "keep_check", "known", "publish", "published"]

FILE = "audit-heads.jsonl"
# The clocks of two machines may differ by so much, and hardly by more.
_AHEAD = timedelta(hours=1)
# So many findings are kept in words; the rest are counted.
_TOLD = 20


@transaction.atomic
def publish(
    channel: Channel,
    *,
    about: str,
    by: "Actor",
    head: Anchor | None = None,
    at: datetime | None = None,
) -> PublishedHead:
    """Keep a head as published, and return it. Twice for one day or one pack is once.

    It is where the chain ends now, unless a head is given: one that stands in a bundle by now.
    The file is written first, so that no row is without its line, whatever breaks off here.
    """
    if found := PublishedHead.objects.filter(channel=channel, about=about).first():
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
    _append(_line(row))
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
    return PublishedHead.objects.filter(channel=channel, about=about).exists()


def first_published_at() -> datetime | None:
    """Return since when heads are published here."""
    return published().values_list("at", flat=True).last()


def last_night() -> PublishedHead | None:
    """Return the newest head that a night published."""
    return published().filter(channel=Channel.NIGHTLY, at__lte=clock.now()).first()


def published() -> QuerySet[PublishedHead]:
    """Return every head that was published, the newest first."""
    return PublishedHead.objects.order_by("-at", "-pk")


@dataclass(frozen=True)
class Known:
    """Every head that was published, and what is wrong with the file that keeps them."""

    anchors: frozenset[Anchor]
    findings: list[ChainFault]


def known() -> Known:
    """Read the heads of the rows and of the file; each head must still be in the file."""
    rows = published().filter(chain=chain.MAIN).values_list("count", "hash")
    kept = {Anchor(*row) for row in rows}
    in_file, findings = _read()
    if lost := kept - in_file:
        findings.append(ChainFault(-1, f"{len(lost)} published heads are gone from {FILE}"))
    if early := published().filter(_of_a_time_to_come()).count():
        # It would stand where that night's own belongs, which then is neither kept nor told.
        findings.append(ChainFault(-1, f"{early} of the published heads claim a time to come"))
    return Known(frozenset(kept | in_file), findings)


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
    return Comparison(seen.count, len(heads.anchors), [*heads.findings, *seen.findings])


def keep_check(found: Comparison) -> ChainCheck:
    """Keep what a comparison found. It writes no entry: a chain that is broken may take none."""
    return ChainCheck.objects.create(
        at=clock.now(),
        entries=found.entries,
        heads=found.heads,
        found=len(found.findings),
        findings=[str(finding) for finding in found.findings[:_TOLD]],
    )


def checks() -> QuerySet[ChainCheck]:
    """Return what every comparison found, the newest first."""
    return ChainCheck.objects.order_by("-at", "-pk")


def last_check() -> ChainCheck | None:
    """Return the newest check. A row that claims a time to come would put off all others."""
    return checks().filter(at__lte=clock.now()).first()


# The file


def _path() -> Path:
    return Path(settings.DATA_DIR) / FILE


def _line(row: PublishedHead) -> bytes:
    return orjson.dumps(
        {
            "chain": row.chain,
            "count": row.count,
            "hash": row.hash,
            "at": clock.iso(row.at),
            "channel": str(row.channel),
            "about": row.about,
        }
    )


def _append(line: bytes) -> None:
    """Add a line and wait until the disk has it; a line that was broken off is left behind."""
    handle = os.open(_path(), os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        size = os.fstat(handle).st_size
        whole = not size or os.pread(handle, 1, size - 1) == b"\n"
        os.write(handle, (b"" if whole else b"\n") + line + b"\n")
        os.fsync(handle)
    finally:
        os.close(handle)
    folder = os.open(_path().parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # the first line makes the file
    finally:
        os.close(folder)


def _read() -> tuple[set[Anchor], list[ChainFault]]:
    """Return the heads of the file; a line that cannot be read is a finding.

    A power cut may break a line off. Its publication is then made again, so the line that
    follows, or nothing, has what was meant.
    """
    try:
        lines = _path().read_bytes().split(b"\n")
    except FileNotFoundError:
        return set(), []
    found, findings = set[Anchor](), list[ChainFault]()
    for number, line in enumerate(lines, 1):
        try:
            said = orjson.loads(line) if line else None
            if said and said["chain"] == chain.MAIN:
                found.add(Anchor(int(said["count"]), str(said["hash"])))
        except (ValueError, LookupError, TypeError):
            if not _was_broken_off(line):
                findings.append(ChainFault(-1, f"line {number} of {FILE} cannot be read"))
    return found, findings


def _was_broken_off(line: bytes) -> bool:
    """Tell whether this is the beginning of a line of ours, and not its whole."""
    return line.startswith(b'{"chain":') and not line.endswith(b"}")
