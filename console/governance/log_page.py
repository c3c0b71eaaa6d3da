"""The audit log as a page and as files: filters, and a row for each entry."""

import json
from collections.abc import Iterator
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
        return HistoryQuery(
            words=said.get("q", ""),
            all_reasons=all_reasons,
            code=said.get("code", ""),
            since=said.get("since"),
            until=said.get("until"),
        )


def lines(entries: list[Any], *, all_reasons: bool) -> list[HistoryLine]:
    """Return entries as sentences with the names of users and businesses, in two queries."""
    ids = {entry.subject_id for entry in entries}
    names: dict[str, str] = {}
    for rows in (User.objects.all(), Business.objects.all()):
        names |= dict(rows.filter(public_id__in=ids).values_list("public_id", "name"))
    return list(history.lines(entries, names, all_reasons=all_reasons))


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
