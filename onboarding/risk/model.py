"""Types of the risk model: factors, indicators, floors, knock-outs and thresholds."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic.dataclasses import dataclass

from console.core.marking import gettext_noop
from console.publishing.conditions import ConditionMember
from console.publishing.files import STRICT, JsonFiles, VersionedFile
from onboarding.tiers import Tier


@dataclass(frozen=True, config=STRICT)
class Fact:
    """One input. A `value` of None means asked for but unknown; the worst case is then assumed."""

    value: Any
    observed: str = ""
    source: str = ""


RiskFacts = Mapping[str, Fact]


@dataclass(frozen=True, config=STRICT)
class RiskStep:
    """The points for numbers from this value up."""

    at: int
    points: int
    says: str


@dataclass(frozen=True, config=STRICT)
class Choice:
    """The points for this word."""

    key: str
    points: int
    says: str


@dataclass(frozen=True, config=STRICT)
class Indicator:
    """One indicator, which scores one fact, by steps of a number or by words.

    `combine` is how several words are scored: `max` uses the highest, `sum` adds them, and `min`
    uses the most favourable (for a mitigating fact, whose points are negative).
    """

    id: str
    factor: str
    fact: str
    name: str
    steps: tuple[RiskStep, ...] = ()
    choices: tuple[Choice, ...] = ()
    combine: str = "max"

    @property
    def worst(self) -> int:
        if self.combine == "sum":
            return sum(choice.points for choice in self.choices)
        points = [step.points for step in self.steps] + [c.points for c in self.choices]
        return max(0, *points)


@dataclass(frozen=True, config=STRICT)
class Factor:
    """A group of indicators with its weight. Its points are capped at 100."""

    key: str
    name: str
    question: str
    weight: int


@dataclass(frozen=True, config=STRICT)
class Floor:
    """A condition that sets a minimum tier, whatever the score."""

    id: str
    name: str
    when: ConditionMember
    tier: Tier


@dataclass(frozen=True, config=STRICT)
class KnockOut:
    """A condition that leads to refusal, whatever the score."""

    id: str
    code: str
    name: str
    when: ConditionMember


@dataclass(frozen=True, config=STRICT)
class Threshold:
    """The tier for scores from this value up, in hundredths."""

    tier: Tier
    from_x100: int


@dataclass(frozen=True, config=STRICT, kw_only=True)
class RiskModel(VersionedFile):
    """One version of the model. Versions never change; an assessment stores the hash."""

    key: str
    factors: tuple[Factor, ...]
    indicators: tuple[Indicator, ...]
    floors: tuple[Floor, ...]
    knock_outs: tuple[KnockOut, ...]
    thresholds: tuple[Threshold, ...]


MODELS = JsonFiles(
    "risk_model",
    gettext_noop("Risk model"),
    "onboarding.risk-model.v1",
    RiskModel,
    Path(__file__).parent / "models",
)
