"""Reading the audit log: entries about an object or matching a search, as readable sentences."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from console.audit import messages
from console.audit.models import Entry


@dataclass(frozen=True)
class HistoryLine:
    """One entry in readable form. `body` is the complete entry."""

    public_id: str
    at: datetime
    code: str
    actor: str
    sentence: str
    subject_id: str
    body: dict[str, Any]


@dataclass(frozen=True)
class HistoryQuery:
    """Search criteria; empty ones match the whole log."""

    words: str = ""
    code: str = ""
    business_id: str = ""


def about(subject_ids: Iterable[str]) -> QuerySet[Entry]:
    """Return the entries about these objects, newest first."""
    return Entry.objects.filter(subject_id__in=list(subject_ids)).newest_first()


def fitting(question: HistoryQuery) -> QuerySet[Entry]:
    """Return the matching entries, newest first."""
    found = Entry.objects.all()
    if question.code:
        found = found.filter(code=question.code)
    if question.business_id:
        found = found.filter(business_id=question.business_id)
    if words := question.words:
        exact = Q(subject_id=words) | Q(actor_id=words) | Q(business_id=words)
        found = found.filter(
            exact | Q(request_id=words) | Q(public_id=words) | Q(actor_name__iexact=words)
        )
    return found.newest_first()


def lines(entries: Iterable[Entry]) -> Iterator[HistoryLine]:
    """Convert entries to readable lines."""
    for entry in entries:
        yield HistoryLine(
            public_id=entry.public_id,
            at=entry.at,
            code=entry.code,
            actor=entry.actor_name,
            sentence=messages.sentence(
                entry.code, actor=entry.actor_name, subject=entry.subject_id
            ),
            subject_id=entry.subject_id,
            body=_body(entry),
        )


def _body(entry: Entry) -> dict[str, Any]:
    """Return an entry's body, or {} if it cannot be read; `verify` reports such entries."""
    try:
        said = json.loads(entry.body)["body"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}
