"""The audit log as a page and as files: filters, and a row for each entry."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from console.accounts.models import Business, User
from console.audit import history
from console.audit import messages as log_sentences
from console.audit.history import HistoryLine, HistoryQuery
from console.core import clock
from console.shell import keyset_pages

ORDER = "-at"
# Words of at least this length are looked for in names of businesses, which at most so many have.
SHORTEST, MOST_NAMED = 3, 20
# Characters of an ID that tell two things of a business apart.
TAIL = 5
# The longest pause within a run.
PAUSE = timedelta(minutes=30)
_AN_ID = re.compile(r"\b(?:usr|biz)_\w+", re.ASCII)


class DayInput(forms.DateInput):
    """A date field, with the browser's date picker."""

    input_type = "date"


def _codes() -> list[tuple[str, str]]:
    return [("", gettext("All")), *((code, code) for code in sorted(log_sentences.known()))]


class LogForm(forms.Form):
    """The log's filters. Invalid values are ignored."""

    q = forms.CharField(label=_("Words or an id"), required=False, max_length=200, strip=True)
    code = forms.ChoiceField(label=_("What happened"), required=False, choices=_codes)
    since = forms.DateField(label=_("From"), required=False, widget=DayInput)
    until = forms.DateField(label=_("To"), required=False, widget=DayInput)

    def question(self, *, all_reasons: bool) -> HistoryQuery:
        """Return the search of a reader, who may or may not read what compliance writes."""
        self.is_valid()
        said = self.cleaned_data
        words = said.get("q", "")
        return HistoryQuery(
            words=words,
            named=_named(words),
            all_reasons=all_reasons,
            code=said.get("code", ""),
            since=said.get("since"),
            until=said.get("until"),
        )


def _named(words: str) -> tuple[str, ...]:
    """Return the IDs of the businesses whose name has these words, unless there are too many."""
    if len(words) < SHORTEST:
        return ()
    rows = Business.objects.filter(name__folded__contains=words).order_by("pk")
    found = tuple(rows.values_list("public_id", flat=True)[: MOST_NAMED + 1])
    return found if len(found) <= MOST_NAMED else ()


def lines(entries: list[Any], *, all_reasons: bool) -> list[HistoryLine]:
    """Return entries as sentences with the names of users and businesses, in two queries.

    Other things of a business have its name and the end of their ID.
    """
    ids = {one for entry in entries for one in (entry.subject_id, entry.business_id)}
    names = _names(ids)
    subjects = {
        entry.subject_id: f"{names[entry.business_id]} (…{entry.subject_id[-TAIL:]})"
        for entry in entries
        if entry.business_id in names
    }
    return list(history.lines(entries, subjects | names, all_reasons=all_reasons))


def _names(ids: Iterable[str]) -> dict[str, str]:
    """Return the names of users and businesses, by ID. One query."""
    people, companies = (
        rows.filter(public_id__in=ids).order_by().values_list("public_id", "name")
        for rows in (User.objects.all(), Business.objects.all())
    )
    return dict(people.union(companies, all=True))


@dataclass(frozen=True)
class ShownLine:
    """A row of the page: an entry, or a run of entries by one person on one thing.

    `count` is how many entries it stands for, and `began_at` when the first was made.
    """

    line: HistoryLine
    changes: list[tuple[str, Any, Any]]
    details: dict[str, Any]
    began_at: datetime
    count: int = 1


def shown(entries: list[Any], *, all_reasons: bool) -> list[ShownLine]:
    """Return a page of entries as rows, with names in place of IDs, in two queries."""
    found = lines(entries, all_reasons=all_reasons)
    inside = {one for line in found for one in _ids(line.changes) | _ids(line.details)}
    names = _names(inside)
    rows: list[ShownLine] = []
    open_runs: dict[tuple[str, ...], int] = {}
    for entry, line in zip(entries, found, strict=True):
        key = _run(entry, line)
        place = open_runs.get(key) if key else None
        if place is not None and (last := rows[place]).began_at - line.at <= PAUSE:
            rows[place] = replace(last, count=last.count + 1, began_at=line.at)
            continue
        if key:
            open_runs[key] = len(rows)
        rows.append(
            ShownLine(
                line,
                _renamed(line.changes, names),
                _renamed(line.details, names),
                began_at=line.at,
            )
        )
    return rows


def _run(entry: Any, line: HistoryLine) -> tuple[str, ...]:
    """Return what entries of one run have in common, or () for an entry that makes none."""
    same = log_sentences.run_of(entry.code)
    if not same:
        return ()
    return (entry.code, entry.actor_id, entry.subject_id, str(line.details.get(same, "")))


def _ids(said: Any) -> set[str]:
    """Return the IDs of users and businesses in recorded values."""
    return set(_AN_ID.findall(json.dumps(said, default=str)))


def _renamed(said: Any, names: dict[str, str]) -> Any:
    """Return recorded values with names in place of the IDs that have one."""
    if isinstance(said, dict):
        return {name: _renamed(value, names) for name, value in said.items()}
    if isinstance(said, list | tuple):
        return type(said)(_renamed(value, names) for value in said)
    return names.get(said, said) if isinstance(said, str) else said


def every_line(question: HistoryQuery) -> Iterator[HistoryLine]:
    """Yield the matching entries, newest first, without loading them all at once."""
    for entries in keyset_pages.chunks(history.fitting(question), ORDER):
        yield from _lines(entries, question)


def _lines(entries: list[Any], question: HistoryQuery) -> list[HistoryLine]:
    return lines(entries, all_reasons=question.all_reasons)


def json_lines(question: HistoryQuery) -> Iterator[str]:
    """Yield a line for each entry: its place in the chain, its hash, and the entry as hashed.

    Without the reasons of compliance, an entry has another type and keeps the hash of the whole.
    `docs/check_log.py` reads these lines.
    """
    for entries in keyset_pages.chunks(history.fitting(question).select_related("link"), ORDER):
        for entry, line in zip(entries, _lines(entries, question), strict=True):
            link = getattr(entry, "link", None)  # none until it is linked, within seconds
            count, sha256 = (link.seq, link.hash) if link else ("null", "")
            yield f'{{"count":{count},"hash":"{sha256}","entry":{line.text}}}\n'


def table(question: HistoryQuery) -> Iterator[list[object]]:
    """Yield the rows of the CSV file, starting with the column names."""
    yield [
        gettext("When"), gettext("Who"), gettext("Id of who"), gettext("As"),
        gettext("What happened"), gettext("Code"), gettext("About"), gettext("Business"),
        gettext("Reason"), gettext("Before"), gettext("After"), gettext("Details"),
        gettext("From"), gettext("Request"), gettext("Entry"),
    ]  # fmt: skip
    for line in every_line(question):
        actor, asked = line.member("actor"), line.member("request")
        yield [
            clock.iso(line.at), line.actor, actor.get("id", ""), ", ".join(actor.get("roles", ())),
            line.sentence, line.code, line.subject_id, line.body.get("business", ""), line.reason,
            _json(line.member("before")), _json(line.member("after")), _json(line.details),
            asked.get("ip") or "", asked.get("id", ""), line.public_id,
        ]  # fmt: skip


def _json(said: Any) -> str:
    return json.dumps(said, ensure_ascii=False, sort_keys=True) if said else ""
