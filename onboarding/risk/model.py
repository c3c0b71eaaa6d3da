"""The risk model as data with a type: factors, indicators, floors, knock-outs, thresholds."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic.dataclasses import dataclass

from console.publishing.conditions import ConditionMember
from console.publishing.files import STRICT, JsonFiles, VersionedFile
from onboarding.tiers import Tier


@dataclass(frozen=True, config=STRICT)
class Fact:
    """One input. `value` None means asked for and not known; the worst is then assumed."""

    value: Any
    observed: str = ""
    source: str = ""


RiskFacts = Mapping[str, Fact]


@dataclass(frozen=True, config=STRICT)
class RiskStep:
    """From this value on, these points."""

    at: int
    points: int
    says: str


@dataclass(frozen=True, config=STRICT)
class Choice:
    """For this word, these points."""

    key: str
    points: int
    says: str


@dataclass(frozen=True, config=STRICT)
class Indicator:
    """One thing looked at. It reads one fact, by steps of a number or by words.

    `combine` says what several words do: `max` counts the highest, `sum` adds them, `min` takes
    the most favourable (for a mitigating fact, whose points are negative).
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
    """A group of indicators and its weight. Its points are capped at 100."""

    key: str
    name: str
    question: str
    weight: int


@dataclass(frozen=True, config=STRICT)
class Floor:
    """When this holds, the tier is at least that, whatever the score."""

    id: str
    name: str
    when: ConditionMember
    tier: Tier


@dataclass(frozen=True, config=STRICT)
class KnockOut:
    """When this holds, the answer is no, whatever the score."""

    id: str
    code: str
    name: str
    when: ConditionMember


@dataclass(frozen=True, config=STRICT)
class Threshold:
    """From this score on (in hundredths), this tier."""

    tier: Tier
    from_x100: int


@dataclass(frozen=True, config=STRICT, kw_only=True)
class RiskModel(VersionedFile):
    """One version of the model. It never changes; an assessment remembers its hash."""

    key: str
    factors: tuple[Factor, ...]
    indicators: tuple[Indicator, ...]
    floors: tuple[Floor, ...]
    knock_outs: tuple[KnockOut, ...]
    thresholds: tuple[Threshold, ...]


MODELS = JsonFiles(
    "risk_model",
    "Risk model",
    "onboarding.risk-model.v1",
    RiskModel,
    Path(__file__).parent / "models",
)
