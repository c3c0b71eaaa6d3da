"""Registry of how each status is shown: one table for each lifecycle, one row for each status.

A status's name is the label of its choice. Packages register their tables in AppConfig.ready(),
which raises an error for missing rows.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from console.core.lifecycle import Lifecycle

Tone = Literal["neutral", "quiet", "accent", "ok", "warning", "danger"]
StageState = Literal["done", "current", "todo", "problem"]


@dataclass(frozen=True)
class BusinessText:
    """What a business sees for a status.

    `title` and `words` are at the top of its page, with `label` in `tone` next to them. `turn` says
    who acts next. `detail` is the text of the current step if it differs from the title. `happened`
    is the line in the history, with its `icon`; without it the history has no entry for this
    status.
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
    """What our staff see for a status: what it is waiting for, and what to know before deciding."""

    waits_for: str
    words: str = ""


@dataclass(frozen=True)
class StepPlace:
    """The place of a status in the steps: how many are complete, and the state of the next one."""

    behind: int
    state: StageState = "current"


@dataclass(frozen=True)
class StatusRow:
    """One status: its tone, its texts apart from its name, and its place in the steps.

    A part that no page shows is missing from every row of the table.
    """

    tone: Tone
    business: BusinessText = BusinessText("")
    staff: StaffText = StaffText("")
    step: StepPlace = StepPlace(-1)

    @property
    def parts(self) -> set[str]:
        """Names of the parts it has apart from the tone."""
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
    """Return the errors of a table: missing, unknown and incomplete rows."""
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
    ]


def register(model: str, lifecycle: Lifecycle, rows: StatusRows) -> None:
    """Register how the statuses of a model ("onboarding.Application") are shown."""
    if found := faults(lifecycle, rows):
        raise ValueError(f"The statuses of {model}: {'; '.join(found)}.")
    if model in _tables:
        raise ValueError(f"The statuses of {model} are registered twice.")
    _tables[model] = {str(status): row for status, row in rows.items()}


def rows_of(model: str) -> StatusRows:
    """Return the table of a model, or an empty one if none is registered."""
    return _tables.get(model, {})


def row_of(thing: Any) -> StatusRow:
    return _tables[thing._meta.label][str(thing.status)]
