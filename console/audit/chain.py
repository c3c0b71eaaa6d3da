"""Walk the chain and say what is wrong with it: an edit, a deletion, a cut, a forged insert."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson
from django.db import connection, transaction

from console.audit.models import Head
from console.core.digests import sha256_hex

MAIN = "main"
START = "0" * 64
_BATCH = 5000

# One snapshot for the walk, the entries outside and the head: others write meanwhile.
_LOOK_STILL = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
_WALK = """
SELECT link.seq, link.prev, link.hash, entry.body, entry.public_id, entry.at, entry.code,
       entry.actor_id, entry.actor_name, entry.business_id, entry.subject_type, entry.subject_id,
       entry.request_id
FROM public.audit_link AS link LEFT JOIN public.audit_entry AS entry ON entry.id = link.entry_id
WHERE link.chain = %s ORDER BY link.seq
"""
_OUTSIDE = """
SELECT count(*) FROM public.audit_entry AS entry WHERE NOT EXISTS
(SELECT FROM public.audit_link AS link WHERE link.entry_id = entry.id AND link.chain = %s)
"""


@dataclass(frozen=True)
class Anchor:
    """A head that was published outside: a chain that is shorter or differs there was cut."""

    count: int
    hash: str


@dataclass
class Finding:
    """One thing that is wrong, and where."""

    seq: int
    what: str


def verify(anchor: Anchor | None = None) -> list[Finding]:
    """Return every finding; an empty list is a whole chain. Reads in batches, changes nothing."""
    walk = _Walk(anchor)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_LOOK_STILL)
        cursor.execute("SET LOCAL cursor_tuple_fraction = 1")  # we read to the end
        with connection.chunked_cursor() as rows:
            rows.execute(_WALK, [MAIN])
            while batch := rows.fetchmany(_BATCH):
                for row in batch:
                    walk.step(*row)
        cursor.execute(_OUTSIDE, [MAIN])
        (outside,) = cursor.fetchone() or (0,)
        findings = [*walk.findings, *walk.ending()]
    if outside:
        findings.append(Finding(-1, f"{outside} entries are not in the chain"))
    return findings


class _Walk:
    """The state of one pass over the chain."""

    def __init__(self, anchor: Anchor | None) -> None:
        self.anchor, self.findings = anchor, list[Finding]()
        self.next_seq, self.prev = 1, START

    def step(self, seq: int, prev: str, hash_: str, body: str | None, *columns: object) -> None:
        """Compare one link with the one before it, and with the entry it holds."""
        if seq != self.next_seq:
            self._find(seq, f"{seq - self.next_seq} links are missing before it")
        elif prev != self.prev:
            self._find(seq, "it does not follow the one before it")
        if body is None:
            self._find(seq, "its entry is gone")
        elif sha256_hex((prev + body).encode()) != hash_:
            self._find(seq, "its entry was changed")
        elif not _columns_agree(body, columns):
            self._find(seq, "a column of its entry was changed")
        if self.anchor and seq == self.anchor.count and hash_ != self.anchor.hash:
            self._find(seq, "it differs from the head that was published")
        self.next_seq, self.prev = seq + 1, hash_

    def ending(self) -> Iterator[Finding]:
        """Compare the end with the stored head and with the published one."""
        count = self.next_seq - 1
        head = Head.objects.filter(chain=MAIN).first()
        if head is None or (head.count, head.hash) != (count, self.prev):
            yield Finding(count, "the chain does not end at its head")
        if self.anchor and count < self.anchor.count:
            yield Finding(count, f"{self.anchor.count - count} published entries are gone")

    def _find(self, seq: int, what: str) -> None:
        self.findings.append(Finding(seq, what))


def _columns_agree(body: str, columns: tuple[Any, ...]) -> bool:
    """Tell whether the columns that find and show an entry still say what its hashed body says."""
    said = orjson.loads(body)["body"]
    public_id, at, *others = columns
    return (public_id, at.isoformat(timespec="microseconds"), *others) == (
        said["id"],
        said["at"],
        said["code"],
        said["actor"]["id"],
        said["actor"]["name"],
        said["business"],
        said["subject"]["type"],
        said["subject"]["id"],
        said["request"]["id"],
    )


def head() -> Head:
    """Return where the chain ends now."""
    return Head.objects.get(chain=MAIN)
