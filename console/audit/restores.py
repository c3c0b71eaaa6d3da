"""Restores of the database that an operator accepted, with the published heads that they lost.

A restored log ends earlier than heads that were published after the backup. They are accepted as
lost only if the log has an entry about it and the document store has the same record: the record
alone proves nothing, and SQL alone cannot write it.
"""

from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction

from console.audit import log
from console.audit.log import EntryActor
from console.audit.models import Entry
from console.audit.record_folder import RecordFolder
from console.core import clock, digests, ids

RECORDS = RecordFolder(
    "audit/restores",
    {"public_id": str, "at": str, "count": int, "hash": str, "because": str, "lost": list},
)


@dataclass
class Restore:
    """An accepted restore: the last entry that was restored, why, and the heads that it lost."""

    public_id: str
    at: str
    count: int
    hash: str
    because: str
    lost: list[list[Any]]

    def __str__(self) -> str:
        return (
            f"Restored to entry {self.count} on {self.at[:16]}, because: {self.because} "
            f"{len(self.lost)} later published heads were lost."
        )


@transaction.atomic
def keep(count: int, hash_: str, lost: list[list[Any]], *, because: str, by: EntryActor) -> Restore:
    """Store an accepted restore. The record is written first, and counts with its entry."""
    restore = Restore(ids.new("rst"), clock.iso(clock.now()), count, hash_, because, lost)
    RECORDS.add(asdict(restore))
    log.record("audit.restored", restore, by=by, restored=asdict(restore))
    return restore


def accepted() -> tuple[list[Restore], list[str]]:
    """Return the accepted restores, oldest first, and what is wrong with the records.

    A restore is accepted if it has a record and an entry that says the same.
    """
    records, wrong = RECORDS.all()
    named = [said["public_id"] for said in records]
    entries = Entry.objects.filter(code="audit.restored", subject_id__in=named)
    told = [digests.parse(entry.body.encode())["details"]["restored"] for entry in entries]
    return [Restore(**said) for said in records if said in told], wrong
