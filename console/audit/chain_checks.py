"""Results of chain verifications, stored as rows and, first, as records in the document store.

    keep()  -> the row, after writing its record
    last()  -> the newest check, according to the records

A row without its record is ignored, because the site's database role could insert rows that report
no faults.
"""

from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from console.audit.models import ChainCheck
from console.audit.record_folder import RecordFolder
from console.core import clock

RECORDS = RecordFolder(
    "audit/checks", {"id": str, "at": str, "entries": int, "heads": int, "found": int}
)


# One check a day, so this is two months.
_LOOKED_AT = 60


def keep(*, entries: int, heads: int, findings: list[str], found: int) -> ChainCheck:
    """Store a check. It writes no audit entry, because a broken chain may not accept one."""
    row = ChainCheck(at=clock.now(), entries=entries, heads=heads, found=found, findings=findings)
    RECORDS.add(_record(row))
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
    """Return the newest checks whose rows match their records, newest first."""
    known = {said["id"]: said for said in RECORDS.newest(_LOOKED_AT)}
    found = rows().filter(public_id__in=known, at__lte=until)
    return [row for row in found if _record(row) == known[row.public_id]]


def faults() -> list[str]:
    """Return what is wrong with the records, and how many rows have none."""
    records, wrong = RECORDS.all()
    known = {said["id"]: said for said in records}
    if forged := sum(_record(row) != known.get(row.public_id) for row in rows()):
        wrong.append(f"{forged} checks of the log are not in {RECORDS.name}")
    return wrong


def _record(row: ChainCheck) -> dict[str, Any]:
    return {
        "id": row.public_id,
        "at": clock.iso(row.at),
        "entries": row.entries,
        "heads": row.heads,
        "found": row.found,
    }
