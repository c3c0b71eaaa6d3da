"""History of a pack as its business sees it, without names of our staff."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from agreements import statuses
from agreements.models import Pack, PackEvent
from console.accounts.models import User
from console.core.text import isolated

# Entries show who acted for the business, but never who acted for us.
THEIRS = {
    "document.accepted": ("book-open-check", gettext_noop("{who} accepted {what}")),
    "document.taken_back": ("undo-2", gettext_noop("{who} took back the acceptance of {what}")),
    "pack.name_confirmed": ("pen-line", gettext_noop("{who} confirmed their name")),
    "pack.act": ("pen-line", gettext_noop("{who} signed the pack")),
}
OURS = {
    "pack.opened": ("folder-plus", gettext_noop("We opened the pack")),
    **{
        f"pack.{status}": (row.business.icon, row.business.happened)
        for status, row in statuses.PACK.items()
        if row.business.happened
    },
}


@dataclass(frozen=True)
class HistoryItem:
    """A history entry: an icon, what happened, and when."""

    icon: str
    words: str
    at: datetime


def history_of(pack: Pack) -> list[HistoryItem]:
    """Return the history, newest first, using two queries."""
    rows = PackEvent.objects.filter(pack=pack).order_by("seq").values_list("body", flat=True)
    told = [body for row in rows if (body := json.loads(row)["body"])["type"] in {**THEIRS, **OURS}]
    names = _names(told)
    # Combine consecutive acceptances into one entry.
    runs = groupby(told, key=lambda body: (body["type"], body["actor"]))
    return [_happening(list(run), names) for _key, run in runs][::-1]


def _names(told: Iterable[dict[str, Any]]) -> dict[str, str]:
    people = {body["actor"] for body in told if body["type"] in THEIRS}
    return dict(User.objects.filter(public_id__in=people).values_list("public_id", "name"))


def _happening(run: list[dict[str, Any]], names: dict[str, str]) -> HistoryItem:
    last, kind = run[-1], run[-1]["type"]
    at = datetime.fromisoformat(last["time"])
    if kind in OURS:
        icon, words = OURS[kind]
        return HistoryItem(icon, _(words), at)
    icon, words = THEIRS[kind]
    what = _("%(count)s documents") % {"count": len(run)}
    if len(run) == 1:
        what = _("document %(number)s") % {"number": last.get("document", "")}
    return HistoryItem(
        icon, _(words).format(who=isolated(names.get(last["actor"], _("Someone"))), what=what), at
    )
