"""assess(): score facts with a risk model. A pure function, without look-ups."""

from dataclasses import dataclass
from typing import Any

from onboarding.risk.model import Fact, Factor, Indicator, RiskFacts, RiskModel
from onboarding.tiers import Tier, worst

CAP = 100


@dataclass(frozen=True)
class Mark:
    """The result of one indicator: its points, what was observed and where, and a sentence."""

    indicator: str
    factor: str
    points: int
    sentence: str
    observed: str = ""
    source: str = ""
    unknown: bool = False


@dataclass(frozen=True)
class FactorScore:
    """A factor's points, capped, and multiplied by its weight, in hundredths."""

    key: str
    name: str
    points: int
    weight: int
    x100: int


@dataclass(frozen=True)
class IndicatorHit:
    """A floor or knock-out that applies. `effect` is the resulting tier or code."""

    id: str
    name: str
    effect: str


@dataclass(frozen=True)
class RiskOutcome:
    """The complete result. `score_x100` is the score in hundredths: 4500 is 45.00."""

    model_version: str
    model_sha256: str
    marks: tuple[Mark, ...]
    factors: tuple[FactorScore, ...]
    floors: tuple[IndicatorHit, ...]
    knock_outs: tuple[IndicatorHit, ...]
    score_x100: int
    tier_by_score: Tier
    tier: Tier


def assess(facts: RiskFacts, model: RiskModel) -> RiskOutcome:
    """Score the facts with the model. Facts that were not asked for do not count."""
    marks = tuple(_mark(one, facts[one.fact]) for one in model.indicators if one.fact in facts)
    factors = tuple(_weigh(factor, marks) for factor in model.factors)
    score = sum(factor.x100 for factor in factors)
    values = {name: fact.value for name, fact in facts.items()}
    floors = [floor for floor in model.floors if floor.when.holds(values)]
    knock_outs = [k for k in model.knock_outs if k.when.holds(values)]
    by_score = _tier(score, model)
    effective = worst(by_score, *(floor.tier for floor in floors))
    return RiskOutcome(
        model_version=model.version,
        model_sha256=model.sha256,
        marks=marks,
        factors=factors,
        floors=tuple(IndicatorHit(floor.id, floor.name, floor.tier) for floor in floors),
        knock_outs=tuple(IndicatorHit(k.id, k.name, k.code) for k in knock_outs),
        score_x100=score,
        tier_by_score=by_score,
        tier=Tier.PROHIBITED if knock_outs else effective,
    )


def _mark(indicator: Indicator, fact: Fact) -> Mark:
    if fact.value is None:
        sentence = f"{indicator.name}: not known, so we assume the worst."
        worst_of_it = indicator.worst
        return Mark(
            indicator.id, indicator.factor, worst_of_it, sentence, source=fact.source, unknown=True
        )
    points, said = _points(indicator, fact.value)
    sentence = f"{indicator.name}: {said}."
    return Mark(indicator.id, indicator.factor, points, sentence, fact.observed, fact.source)


def _points(indicator: Indicator, value: Any) -> tuple[int, str]:
    if indicator.steps:
        step = max((s for s in indicator.steps if s.at <= value), key=lambda s: s.at)
        return step.points, step.says
    words = value if isinstance(value, list | tuple | frozenset) else [value]
    met = [choice for choice in indicator.choices if choice.key in words]
    if not met:
        return 0, "nothing that counts"
    if indicator.combine == "sum":
        return sum(choice.points for choice in met), ", ".join(choice.says for choice in met)
    pick = min if indicator.combine == "min" else max
    chosen = pick(met, key=lambda choice: choice.points)
    return chosen.points, chosen.says


def _weigh(factor: Factor, marks: tuple[Mark, ...]) -> FactorScore:
    added = sum(mark.points for mark in marks if mark.factor == factor.key)
    points = min(CAP, max(0, added))
    return FactorScore(factor.key, factor.name, points, factor.weight, points * factor.weight)


def _tier(score_x100: int, model: RiskModel) -> Tier:
    return worst(*(t.tier for t in model.thresholds if t.from_x100 <= score_x100))
