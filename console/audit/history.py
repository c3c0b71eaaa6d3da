"""The log, read: what happened to a thing, or everything that fits, as sentences."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Max, Q, QuerySet

from console.audit import messages
from console.audit.models import Entry


@dataclass(frozen=True)
class HistoryLine:
    """One entry as people read it. `body` is the whole of it."""

    public_id: str
    at: datetime
    code: str
    actor: str
    sentence: str
    subject_id: str
    body: dict[str, Any]


@dataclass(frozen=True)
class HistoryQuery:
    """What is looked for; everything empty asks for the whole log."""

    words: str = ""
    code: str = ""
    business_id: str = ""


def about(subject_ids: Iterable[str]) -> QuerySet[Entry]:
    """Return the entries about these things, the newest first."""
    return Entry.objects.filter(subject_id__in=list(subject_ids)).newest_first()


def fitting(question: HistoryQuery) -> QuerySet[Entry]:
    """Return the entries that fit, the newest first."""
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


def last_acts(since: datetime) -> dict[str, datetime]:
    """Return when a person or an API key last did something, by the business's public id."""
    done = Entry.objects.filter(at__gte=since).exclude(business_id="").exclude(actor_id="")
    return dict(done.values_list("business_id").annotate(Max("at")))


def lines(entries: Iterable[Entry]) -> Iterator[HistoryLine]:
    """Turn entries into sentences."""
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
    """Return what an entry says; one that cannot be read says nothing, and `verify` finds it."""
    try:
        said = json.loads(entry.body)["body"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}
