"""How each status is shown: one row for each, in a table beside its lifecycle; all else reads it.

A status's name is the label of its choice. Packages register their tables in AppConfig.ready(),
which refuses one that lacks a row and says which.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from console.core.lifecycle import Lifecycle

Tone = Literal["neutral", "quiet", "accent", "ok", "warning", "danger"]
StageState = Literal["done", "current", "todo", "problem"]


@dataclass(frozen=True)
class BusinessText:
    """What a business reads of a status.

    `title` and `words` stand on top of its page, with `label` in `tone` beside them; `turn` says
    whose turn it is; `detail` is what the step at hand says, where that is not the title.
    `happened` is the line of the history that says that it came to this, with its `icon`; without
    one the history leaves it out.
    """

    title: str
    words: str = ""
    label: str = ""
    tone: Tone = "accent"
    turn: str = ""
    detail: str = ""
    happened: str = ""
    icon: str = ""

    @property
    def at_the_step(self) -> str:
        return self.detail or self.title


@dataclass(frozen=True)
class StaffText:
    """What our staff read of a status: what it waits for, and what to know before deciding."""

    waits_for: str
    words: str = ""


@dataclass(frozen=True)
class StepPlace:
    """Where a status stands among the steps: how many are behind it, and how the next one is."""

    behind: int
    state: StageState = "current"


@dataclass(frozen=True)
class StatusRow:
    """One status: its tone, what is read of it beside its name, and its place in the steps.

    A part that no page of the thing shows is left out of every row of its table.
    """

    tone: Tone
    business: BusinessText = BusinessText("")
    staff: StaffText = StaffText("")
    step: StepPlace = StepPlace(-1)

    @property
    def parts(self) -> set[str]:
        """What stands in it beside the tone."""
        plain = StatusRow(self.tone)
        return {said for part, said in PARTS.items() if getattr(self, part) != getattr(plain, part)}


PARTS = {
    "business": "words for the business",
    "staff": "words for our staff",
    "step": "place in the steps",
}
StatusRows = Mapping[str, StatusRow]
_tables: dict[str, dict[str, StatusRow]] = {}


def faults(lifecycle: Lifecycle, rows: StatusRows) -> list[str]:
    """Return what a table lacks of its lifecycle, and what it has too much."""
    known = {str(status): row for status, row in rows.items()}
    shown = set().union(*(row.parts for row in known.values()))
    return [
        *(f"{status} has no row" for status in lifecycle.moves if status not in known),
        *(
            f"{status} has a row and is no status"
            for status in sorted(known.keys() - lifecycle.moves)
        ),
        *(
            f"{status} has no {part}"
            for status, row in known.items()
            for part in sorted(shown - row.parts)
        ),
        *(
            f"{status} has a tone that does not exist: {row.tone}"
            for status, row in known.items()
            if row.tone not in get_args(Tone)
        ),
    ]


def register(model: str, lifecycle: Lifecycle, rows: StatusRows) -> None:
    """Say how the statuses of a model ("onboarding.Application") are shown."""
    if found := faults(lifecycle, rows):
        raise ValueError(f"The statuses of {model}: {'; '.join(found)}.")
    if model in _tables:
        raise ValueError(f"The statuses of {model} are registered twice.")
    _tables[model] = {str(status): row for status, row in rows.items()}


def rows_of(model: str) -> StatusRows:
    """Return the table of a model; empty where nobody registered one."""
    return _tables.get(model, {})


def row_of(thing: Any) -> StatusRow:
    """Return the row of a thing's status."""
    return _tables[thing._meta.label][str(thing.status)]
