"""Restores of the database that an operator accepted, with the published heads that they lost.

A restored log ends earlier than heads that were published after the backup. They are accepted as
lost only if the log has an entry about it and the append-only file has the same line: the file
alone proves nothing, and SQL alone cannot write it.
"""

from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction

from console.audit import log
from console.audit.growing_file import GrowingFile
from console.audit.log import EntryActor
from console.audit.models import Entry
from console.core import clock, digests, ids

CODE = "audit.restored"
FILE = GrowingFile(
    "audit-restores.jsonl",
    {"public_id": str, "at": str, "count": int, "hash": str, "because": str, "lost": list},
)


@dataclass(frozen=True)
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
    """Store an accepted restore. The line is written first, and counts once the entry commits."""
    restore = Restore(ids.new("rst"), clock.iso(clock.now()), count, hash_, because, lost)
    FILE.append(asdict(restore))
    log.record(CODE, restore, by=by, restored=asdict(restore))
    return restore


def accepted() -> list[Restore]:
    """Return the accepted restores, oldest first: those in the file with an entry that says so."""
    lines, _ = FILE.lines()
    entries = Entry.objects.filter(code=CODE, subject_id__in=[line["public_id"] for line in lines])
    said = [digests.parse(entry.body.encode())["details"]["restored"] for entry in entries]
    return [Restore(**line) for line in lines if line in said]


def faults() -> list[str]:
    """Return what is wrong with the file."""
    return FILE.lines()[1]
