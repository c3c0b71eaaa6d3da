"""Registry of the stages of a business, from its first answer to live keys."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext

from console.core.status_table import StageState
from console.shell.modules import May


@dataclass(frozen=True)
class StageStatus:
    """A business's status at one stage. `action` is the text of the link, if there is one.

    `waits_for` are the addresses of those who can do it, if not everybody can. Others read
    `detail_for_others`, and the link's text is then “See”. So it is for those without the
    permission `needs`, whose link is `url_for_others`.
    """

    state: StageState
    detail: str = ""
    url: str = ""
    action: str = ""
    waits_for: tuple[str, ...] = ()
    detail_for_others: str = ""
    needs: str = ""
    url_for_others: str = ""

    def told_to(self, email: str, may: May) -> "StageStatus":
        """Return the status in the words for the person with this address and permissions."""
        if self.needs and not may(self.needs):
            return replace(self, url=self.url_for_others, action="")
        if not self.waits_for or email in self.waits_for:
            return self
        return replace(self, detail=self.detail_for_others, action="")


@dataclass(frozen=True)
class Stage:
    """One stage on the way to live keys. `look` returns a business's status at it."""

    key: str
    title: str
    order: int
    look: Callable[[Any], StageStatus]


@dataclass(frozen=True)
class ProgressStep:
    """A stage as the page shows it."""

    title: str
    state: StageState
    detail: str
    url: str
    action: str


_stages: dict[str, Stage] = {}


def register(stage: Stage) -> None:
    """Register a stage. Called from AppConfig.ready(), nowhere else."""
    if stage.key in _stages:
        raise ValueError(f"Stage {stage.key} is registered twice.")
    _stages[stage.key] = stage


class BusinessProgress:
    """The stages of one business, told to the person with this address and these permissions.

    Each stage is looked up at most once, and only when needed.
    """

    def __init__(self, business: Any, email: str = "", may: May = lambda _permission: True) -> None:
        self._business = business
        self._email = email
        self._may = may
        self._known: dict[str, ProgressStep] = {}

    @property
    def steps(self) -> list[ProgressStep]:
        return [self._step(stage) for stage in _in_order()]

    @property
    def done(self) -> int:
        return sum(step.state == "done" for step in self.steps)

    @property
    def next(self) -> ProgressStep:
        """What the business or we do now, what is not done yet, or the last step."""
        waiting = None
        for stage in _in_order():
            step = self._step(stage)
            if step.state in ("current", "problem"):
                return step
            if step.state == "todo":
                waiting = waiting or step
        return waiting or step

    def _step(self, stage: Stage) -> ProgressStep:
        if stage.key not in self._known:
            at = stage.look(self._business).told_to(self._email, self._may)
            words = [text and gettext(text) for text in (at.detail, at.action)]
            made = ProgressStep(gettext(stage.title), at.state, words[0], at.url, words[1])
            self._known[stage.key] = made
        return self._known[stage.key]


def _in_order() -> list[Stage]:
    return sorted(_stages.values(), key=lambda stage: (stage.order, stage.key))
