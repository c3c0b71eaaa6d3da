"""The risk model as data with a type: factors, indicators, floors, knock-outs, thresholds."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from console.core.digests import digest
from onboarding.questionnaire.predicates import Predicate, parse
from onboarding.tiers import Tier

FOLDER = Path(__file__).parent / "models"
CURRENT = "2026-11"
DOMAIN = "onboarding.risk-model.v1"


@dataclass(frozen=True)
class Fact:
    """One input. `value` None means asked for and not known; the worst is then assumed."""

    value: Any
    observed: str = ""
    source: str = ""


RiskFacts = Mapping[str, Fact]


@dataclass(frozen=True)
class RiskStep:
    """From this value on, these points."""

    at: int
    points: int
    says: str


@dataclass(frozen=True)
class Choice:
    """For this word, these points."""

    key: str
    points: int
    says: str


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class Factor:
    """A group of indicators and its weight. Its points are capped at 100."""

    key: str
    name: str
    question: str
    weight: int


@dataclass(frozen=True)
class Floor:
    """When this holds, the tier is at least that, whatever the score."""

    id: str
    name: str
    when: Predicate
    tier: Tier


@dataclass(frozen=True)
class KnockOut:
    """When this holds, the answer is no, whatever the score."""

    id: str
    code: str
    name: str
    when: Predicate


@dataclass(frozen=True)
class Threshold:
    """From this score on (in hundredths), this tier."""

    tier: Tier
    from_x100: int


@dataclass(frozen=True)
class RiskModel:
    """One version of the model. It never changes; an assessment remembers its hash."""

    key: str
    version: str
    factors: tuple[Factor, ...]
    indicators: tuple[Indicator, ...]
    floors: tuple[Floor, ...]
    knock_outs: tuple[KnockOut, ...]
    thresholds: tuple[Threshold, ...]
    sha256: str = ""


def current() -> RiskModel:
    """Return the model that is in use."""
    return model(CURRENT)


@cache
def model(version: str) -> RiskModel:
    """Return a model by its version."""
    return build(json.loads((FOLDER / f"{version}.json").read_text()))


def build(document: dict[str, Any]) -> RiskModel:
    """Build a model from its JSON form, hashed."""
    return RiskModel(
        key=document["key"],
        version=document["version"],
        factors=tuple(Factor(**item) for item in document["factors"]),
        indicators=tuple(map(_indicator, document["indicators"])),
        floors=tuple(
            Floor(**{**item, "when": parse(item["when"]), "tier": Tier(item["tier"])})
            for item in document["floors"]
        ),
        knock_outs=tuple(
            KnockOut(**{**item, "when": parse(item["when"])}) for item in document["knock_outs"]
        ),
        thresholds=tuple(
            Threshold(Tier(item["tier"]), item["from_x100"]) for item in document["thresholds"]
        ),
        sha256=digest(DOMAIN, document),
    )


def _indicator(item: dict[str, Any]) -> Indicator:
    steps = tuple(RiskStep(**step) for step in item.get("steps", ()))
    choices = tuple(Choice(**choice) for choice in item.get("choices", ()))
    return Indicator(**{**item, "steps": steps, "choices": choices})
