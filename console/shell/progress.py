"""Registry of the stages of a business, from its first answer to live keys."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from console.core.status_table import StageState


@dataclass(frozen=True)
class StageStatus:
    """A business's status at one stage. `action` is the text of the link, if there is one."""

    state: StageState
    detail: str = ""
    url: str = ""
    action: str = ""


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


def steps_of(business: Any) -> list[ProgressStep]:
    """Return the steps of one business, in order."""
    stages = sorted(_stages.values(), key=lambda stage: (stage.order, stage.key))
    return [_step(stage, stage.look(business)) for stage in stages]


def _step(stage: Stage, at: StageStatus) -> ProgressStep:
    words = [text and gettext(text) for text in (at.detail, at.action)]
    return ProgressStep(gettext(stage.title), at.state, words[0], at.url, words[1])
