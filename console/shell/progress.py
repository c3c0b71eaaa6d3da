"""The stages of a business, from its first answer to its keys: each package tells its own stage."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from console.core.status_table import StageState


@dataclass(frozen=True)
class StageStatus:
    """Where a business stands at one stage; `action` names the link when there is one."""

    state: StageState
    detail: str = ""
    url: str = ""
    action: str = ""


@dataclass(frozen=True)
class Stage:
    """One stage on the way to live keys. `look` is given the business and says where it stands."""

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
    """Add a stage. Called from AppConfig.ready(), nowhere else."""
    if stage.key in _stages:
        raise ValueError(f"Stage {stage.key} is registered twice.")
    _stages[stage.key] = stage


def steps_of(business: Any) -> list[ProgressStep]:
    """Return the steps of one business, in order."""
    stages = sorted(_stages.values(), key=lambda stage: (stage.order, stage.key))
    return [_step(stage, stage.look(business)) for stage in stages]


def _step(stage: Stage, at: StageStatus) -> ProgressStep:
    return ProgressStep(gettext(stage.title), at.state, at.detail, at.url, at.action)
