"""Messages after saving: when, what was not saved, and what others changed."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from console.accounts.models import User
from console.core.text import isolated
from onboarding.intake.answers import Saving
from onboarding.intake.typed_answers import BLOCKED
from onboarding.models import Answer


def notice_for(saving: Saving, reader: User) -> str:
    """Return a one-line message about what was saved and what was not."""
    at = {"time": f"{saving.application.touched_at:%H:%M}"}
    if not saving.unsaved:
        wrong = _("Some answers need correcting.") if saving.problems else ""
        parts = (_("Saved %(time)s UTC.") % at, wrong, _others(saving, reader))
        return " ".join(filter(None, parts))
    said = [problem.message for problem in saving.problems if problem.code == BLOCKED][:1]
    if saving.conflicts:
        labels = [f"“{saving.given.edition.by_key[key].label}”" for key in saving.conflicts]
        told = _("%(who)s changed %(labels)s while you were editing. Save to compare both answers.")
        who = _names(saving.conflicts.values(), reader)
        said.append(told % {"who": who, "labels": ", ".join(labels)})
    return " ".join([_("Not saved."), *said, _("The rest was saved %(time)s UTC.") % at])


def _others(saving: Saving, reader: User) -> str:
    theirs = [row for row in saving.unseen if row.by != reader]
    if not theirs:
        return ""
    told = _("%(who)s changed other answers in this section. Reload the page to see them.")
    return told % {"who": _names(theirs, reader)}


def _names(rows: Iterable[Answer], reader: User) -> str:
    names = dict.fromkeys(_("You") if row.by == reader else isolated(row.by.name) for row in rows)
    return _(" and ").join(names)
