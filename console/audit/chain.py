"""Verification of the hash chain: finds changed, deleted, truncated and forged entries."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson
from django.db import connection, transaction

from console.audit.models import ChainHead
from console.core.digests import sha256_hex

MAIN = "main"
START = "0" * 64
_BATCH = 5000

# Use one snapshot for the chain, the entries outside it and the head, while others write.
_LOOK_STILL = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
_WALK = """
SELECT link.seq, link.prev, link.hash, entry.body, entry.public_id,
       to_char(entry.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"'), entry.code,
       entry.actor_id, entry.actor_name, entry.business_id, entry.subject_type, entry.subject_id,
       entry.request_id
FROM public.audit_link AS link LEFT JOIN public.audit_entry AS entry ON entry.id = link.entry_id
WHERE link.chain = %s ORDER BY link.seq
"""
_OUTSIDE = """
SELECT count(*) FROM public.audit_entry AS entry WHERE NOT EXISTS
(SELECT FROM public.audit_link AS link WHERE link.entry_id = entry.id AND link.chain = %s)
AND NOT EXISTS (SELECT FROM public.audit_unlinked AS unlinked WHERE unlinked.entry_id = entry.id)
"""
_GONE = """
SELECT count(*) FROM public.audit_unlinked AS unlinked WHERE NOT EXISTS
(SELECT FROM public.audit_entry AS entry WHERE entry.id = unlinked.entry_id)
"""


@dataclass(frozen=True)
class Anchor:
    """A published head. A chain that is shorter, or differs here, has been tampered with."""

    count: int
    hash: str


@dataclass
class ChainFault:
    seq: int
    what: str

    def __str__(self) -> str:
        return f"Entry {self.seq}: {self.what}" if self.seq >= 0 else self.what


def verify(anchors: Iterable[Anchor] = ()) -> list[ChainFault]:
    """Link new entries, and return every fault; none if the chain is intact."""
    return walk(anchors).findings


def walk(anchors: Iterable[Anchor] = ()) -> "Walk":
    """Link what is committed, walk the whole chain, and return the pass with its findings."""
    link()
    seen = Walk(anchors)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_LOOK_STILL)
        cursor.execute("SET LOCAL cursor_tuple_fraction = 1")  # all rows are read
        with connection.chunked_cursor() as rows:
            rows.execute(_WALK, [MAIN])
            while batch := rows.fetchmany(_BATCH):
                for row in batch:
                    seen.step(*row)
        cursor.execute(_OUTSIDE, [MAIN])
        (outside,) = cursor.fetchone() or (0,)
        cursor.execute(_GONE)
        (gone,) = cursor.fetchone() or (0,)
        seen.findings += seen.ending()
    if gone:
        seen.findings.append(
            ChainFault(-1, f"{gone} entries were deleted before they were in the chain")
        )
    if outside:
        seen.findings.append(ChainFault(-1, f"{outside} entries are not in the chain"))
    return seen


class Walk:
    """The state of one pass over the chain."""

    def __init__(self, anchors: Iterable[Anchor]) -> None:
        self.published: dict[int, set[str]] = defaultdict(set)
        for anchor in anchors:
            self.published[anchor.count].add(anchor.hash)
        self.findings = list[ChainFault]()
        self.next_seq, self.prev = 1, START

    @property
    def count(self) -> int:
        """Return the number of links seen."""
        return self.next_seq - 1

    def step(self, seq: int, prev: str, hash_: str, body: str | None, *columns: object) -> None:
        """Compare one link with the previous one, and with its entry."""
        if seq != self.next_seq:
            self._find(seq, f"{seq - self.next_seq} links are missing before it")
        elif prev != self.prev:
            self._find(seq, "it does not follow the one before it")
        if body is None:
            self._find(seq, "its entry is gone")
        elif sha256_hex((prev + body).encode()) != hash_:
            self._find(seq, "its entry was changed")
        elif problem := _problem_of(body, columns):
            self._find(seq, problem)
        if seq in self.published and self.published[seq] != {hash_}:
            self._find(seq, "it differs from the head that was published")
        self.next_seq, self.prev = seq + 1, hash_

    def ending(self) -> Iterator[ChainFault]:
        """Compare the end with the stored head and with the published heads."""
        head = ChainHead.objects.filter(chain=MAIN).first()
        if head is None or (head.count, head.hash) != (self.count, self.prev):
            yield ChainFault(self.count, "the chain does not end at its head")
        if (gone := max(self.published, default=0) - self.count) > 0:
            yield ChainFault(self.count, f"{gone} published entries are gone")

    def _find(self, seq: int, what: str) -> None:
        self.findings.append(ChainFault(seq, what))


def _problem_of(body: str, columns: tuple[Any, ...]) -> str:
    """Return an entry's inconsistencies, or "" if there are none. Its hash is already verified.

    The columns, which are used to find and show an entry, must match its hashed body.
    """
    try:
        said = orjson.loads(body)["body"]
        stated = (
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
    except (ValueError, LookupError, TypeError):
        return "its body cannot be read"
    return "" if stated == columns else "a column of its entry was changed"


def head() -> ChainHead:
    """Link what is committed, and return the head of the chain."""
    link()
    return stored_head()


def stored_head() -> ChainHead:
    return ChainHead.objects.get(chain=MAIN)


def link() -> None:
    """Link all committed entries that are not in the chain yet, in batches.

    A worker does this every five seconds. Several callers wait for each other.
    """
    with connection.cursor() as cursor:
        linked = _BATCH
        while linked == _BATCH:
            cursor.execute("SELECT public.audit_link_entries(%s)", [_BATCH])
            (linked,) = cursor.fetchone() or (0,)
