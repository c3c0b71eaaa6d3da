"""Read the audit log: entries about an object or matching a search, as readable sentences."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.contrib.postgres.search import SearchQuery
from django.db.models import Max, Q, QuerySet

from console.audit import messages
from console.audit.models import ENTRY_WORDS, Entry, EntryQuerySet
from console.core import confidential_text, digests

_AN_ID = re.compile(r"[a-z]{2,3}_\w+", re.ASCII)
# Names under which audit entries record the reason.
_REASONS = ("reason", "note", "because", "why")
# Words that at most as many entries have are rare.
_RARE = 1_000
# The type of an entry in a download without the reasons of compliance. The chain has no such one.
SHORTENED = "console.audit.shortened_entry.v1"


@dataclass(frozen=True)
class HistoryLine:
    """One entry in readable form.

    `body` is its parsed body, `text` the string in the chain. If the reader may not read the
    reason, both have a neutral text instead.
    """

    public_id: str
    at: datetime
    code: str
    actor: str
    sentence: str
    subject_id: str
    body: dict[str, Any]
    text: str

    @property
    def reason(self) -> str:
        """The recorded reason, or ""."""
        told = self.member("after") | self.member("details")
        return next((str(told[name]) for name in _REASONS if told.get(name)), "")

    @property
    def changes(self) -> list[tuple[str, Any, Any]]:
        """The changed fields: name, value before, value after."""
        before, after = self.member("before"), self.member("after")
        return [(name, before.get(name), after.get(name)) for name in before | after]

    @property
    def details(self) -> dict[str, Any]:
        """The entry's details, without the reason."""
        return {k: said for k, said in self.member("details").items() if k not in _REASONS}

    def member(self, name: str) -> dict[str, Any]:
        """Return a member of the body that is an object, or {}."""
        member = self.body.get(name)
        return member if isinstance(member, dict) else {}


@dataclass(frozen=True)
class HistoryQuery:
    """A search of the log; empty fields match everything. Both dates are in UTC and inclusive.

    `all_reasons` means that the reader may read what compliance writes. Otherwise words are not
    searched in entries with such reasons. `named` are businesses whose names have the words.
    """

    words: str = ""
    named: tuple[str, ...] = ()
    all_reasons: bool = False
    code: str = ""
    business_id: str = ""
    since: date | None = None
    until: date | None = None


def about(subject_ids: Iterable[str]) -> QuerySet[Entry]:
    """Return the entries about these objects, newest first."""
    return Entry.objects.filter(subject_id__in=list(subject_ids)).newest_first()


def status_since(subject_ids: Iterable[str]) -> dict[str, datetime]:
    """Return when each of these objects got its status, by ID. One query.

    Objects that still have the status they were made with are left out.
    """
    moved = Entry.objects.filter(
        subject_id__in=list(subject_ids), body__contains='"before":{"status":'
    )
    newest = moved.order_by("subject_id", "-at", "-pk").distinct("subject_id")
    return dict(newest.values_list("subject_id", "at"))


def newest_of(codes: Iterable[str], count: int) -> list[Entry]:
    """Return the newest entries with one of these codes. One query, which reads few of each."""
    each = [Entry.objects.filter(code=code).order_by("-at", "-id")[:count] for code in codes]
    return list(each[0].union(*each[1:], all=True).order_by("-at", "-id")[:count]) if each else []


def fitting(question: HistoryQuery) -> QuerySet[Entry]:
    """Return the matching entries, newest first."""
    found = Entry.objects.all()
    if question.code:
        found = found.filter(code=question.code)
    if question.business_id:
        found = found.filter(business_id=question.business_id)
    if question.since:
        found = found.filter(at__gte=datetime.combine(question.since, time(), UTC))
    if question.until:
        ends = datetime.combine(question.until, time(), UTC) + timedelta(days=1)
        found = found.filter(at__lt=ends)
    if words := question.words:
        if _AN_ID.fullmatch(words):
            exact = Q(subject_id=words) | Q(actor_id=words) | Q(business_id=words)
            found = found.filter(exact | Q(request_id=words) | Q(public_id=words))
        else:
            hidden = () if question.all_reasons else messages.confidential()
            said = _rare_or_frequent(found.exclude(code__in=hidden), words)
            found = _or_about(found, said, question.named) if question.named else said
    return found.newest_first()


def with_words(entries: EntryQuerySet, words: str) -> EntryQuerySet:
    """Return the entries with these words, in any order."""
    asked = SearchQuery(words, config="simple", search_type="websearch")
    return entries.annotate(said=ENTRY_WORDS).filter(said=asked)


def _rare_or_frequent(entries: EntryQuerySet, words: str) -> EntryQuerySet:
    """Return the entries with these words, for reading the newest.

    PostgreSQL cannot tell how rare words are, and would look for them from the newest entry on.
    That is fast only for words of many entries, so find the others by the index first.
    """
    found = with_words(entries, words)
    rare = list(found.values_list("pk", flat=True)[: _RARE + 1])
    return found if len(rare) > _RARE else entries.filter(pk__in=rare)


def _or_about(
    entries: EntryQuerySet, said: EntryQuerySet, business_ids: tuple[str, ...]
) -> EntryQuerySet:
    """Return the entries about these businesses and the newest of those that have the words."""
    newest = list(said.newest_first().values_list("pk", flat=True)[:_RARE])
    about = Q(business_id__in=business_ids) | Q(subject_id__in=business_ids)
    return entries.filter(about | Q(pk__in=newest))


def began_at() -> datetime | None:
    """Return when the first entry was written."""
    return Entry.objects.order_by("pk").values_list("at", flat=True).first()


def last_acts(since: datetime) -> dict[str, datetime]:
    """Return the last act of a user or API key since then, by the business's public ID."""
    done = Entry.objects.filter(at__gte=since).exclude(business_id="").exclude(actor_id="")
    return dict(done.values_list("business_id").annotate(Max("at")))


def lines(
    entries: Iterable[Entry],
    names: Mapping[str, str] | None = None,
    *,
    all_reasons: bool = False,
) -> Iterator[HistoryLine]:
    """Turn entries into sentences; `names` are display names of subjects, by ID.

    Unless `all_reasons`, the reasons of compliance are neutral.
    """
    names, hidden = names or {}, frozenset() if all_reasons else messages.confidential()
    for entry in entries:
        body, text = _body(entry), entry.body
        if entry.code in hidden:
            body = _without_reasons(body)
            text = digests.canonical(SHORTENED, body).decode()
        yield HistoryLine(
            public_id=entry.public_id,
            at=entry.at,
            code=entry.code,
            actor=entry.actor_name,
            sentence=messages.sentence(
                entry.code,
                actor=entry.actor_name,
                subject=names.get(entry.subject_id, entry.subject_id),
            ),
            subject_id=entry.subject_id,
            body=body,
            text=text,
        )


def _without_reasons(body: dict[str, Any]) -> dict[str, Any]:
    """Return the body with a neutral text for each reason."""
    return body | {
        member: said | {name: str(confidential_text.NEUTRAL) for name in _REASONS if said.get(name)}
        for member in ("before", "after", "details")
        if isinstance(said := body.get(member), dict)
    }


def _body(entry: Entry) -> dict[str, Any]:
    """Return an entry's body, or {} if it cannot be read; `verify` reports such entries."""
    try:
        said = json.loads(entry.body)["body"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}
