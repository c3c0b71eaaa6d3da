"""What a saving says to whoever typed: when, what of it is not saved, what others changed."""

from collections.abc import Iterable

from console.accounts.models import User
from onboarding.intake.answers import Saving
from onboarding.intake.drafts import BLOCKED
from onboarding.models import Answer


def of(saving: Saving, reader: User) -> str:
    """Return one line. It says “saved” only of what is."""
    saved = f"aved {saving.application.touched_at:%H:%M} UTC."
    if not saving.unsaved:
        return " ".join(filter(None, ("S" + saved, _others(saving, reader))))
    said = [problem.message for problem in saving.problems if problem.code == BLOCKED][:1]
    if saving.conflicts:
        labels = [f"“{saving.given.edition.by_key[key].label}”" for key in saving.conflicts]
        who = _names(saving.conflicts.values(), reader)
        said.append(
            f"{who} changed {', '.join(labels)} while you wrote. Press Save to see both answers."
        )
    return " ".join(["Not saved.", *said, f"The rest was s{saved}"])


def _others(saving: Saving, reader: User) -> str:
    theirs = [row for row in saving.unseen if row.by != reader]
    if not theirs:
        return ""
    return f"{_names(theirs, reader)} changed other answers here. Load the page again to see them."


def _names(rows: Iterable[Answer], reader: User) -> str:
    names = dict.fromkeys("You" if row.by == reader else row.by.name for row in rows)
    return " and ".join(names)
