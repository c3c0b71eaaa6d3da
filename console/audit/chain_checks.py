"""Results of chain verifications, stored as rows and, first, as lines of an append-only file.

    keep()  -> the row, after writing its line
    last()  -> the newest check, according to the file

A row without its line is ignored, because the site's database role could insert rows that report no
faults.
"""

from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from console.audit.growing_file import GrowingFile
from console.audit.models import ChainCheck
from console.core import clock

FILE = GrowingFile(
    "audit-checks.jsonl", {"id": str, "at": str, "entries": int, "heads": int, "found": int}
)


# One check a day, so this is two months.
_LOOKED_AT = 60


def keep(*, entries: int, heads: int, findings: list[str], found: int) -> ChainCheck:
    """Store a check. It writes no audit entry, because a broken chain may not accept one."""
    row = ChainCheck(at=clock.now(), entries=entries, heads=heads, found=found, findings=findings)
    FILE.append(_line(row))
    row.save()
    return row


def rows() -> QuerySet[ChainCheck]:
    """Return all checks, newest first."""
    return ChainCheck.objects.order_by("-at", "-pk")


def last() -> ChainCheck | None:
    """Return the newest check. Ignore checks dated in the future."""
    return next(iter(_kept(clock.now())), None)


def last_broken(since: datetime) -> ChainCheck | None:
    """Return the newest check since then that found something."""
    kept = _kept(clock.now())
    return next((row for row in kept if row.found and row.at >= since), None)


def _kept(until: datetime) -> list[ChainCheck]:
    """Return the newest checks whose rows match the file, newest first."""
    lines, _ = FILE.lines()
    known = {line["id"]: line for line in lines[-_LOOKED_AT:]}
    found = rows().filter(public_id__in=known, at__lte=until)
    return [row for row in found if _line(row) == known[row.public_id]]


def faults() -> list[str]:
    """Return what is wrong with the file, and rows that are not in it."""
    lines, wrong = FILE.lines()
    known = {line["id"]: line for line in lines}
    if forged := sum(_line(row) != known.get(row.public_id) for row in rows()):
        wrong.append(f"{forged} checks of the log are not in {FILE.name}")
    return wrong


def _line(row: ChainCheck) -> dict[str, Any]:
    return {
        "id": row.public_id,
        "at": clock.iso(row.at),
        "entries": row.entries,
        "heads": row.heads,
        "found": row.found,
    }
