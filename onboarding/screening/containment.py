"""Names that hold another name whole: a listed name with words added, or with words left out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class AlignedWords:
    """Words of both names that belong together, and why. One side is empty for an extra word."""

    asked: str
    listed: str
    why: str
    score: float
    weight: float


def contained(found: Sequence[AlignedWords], kind: str, model: Mapping[str, Any]) -> float:
    """Return the score of the words that both names have, if one name holds the other, or 0."""
    rule = model["contained"]
    pairs = [one for one in found if one.asked and one.listed]
    if any(one.score < rule["least"] / 100 or one.why == "initial" for one in pairs):
        return 0.0
    minor = model["weights"]["extra_minor"] / 100
    is_added = any(one.weight > minor for one in found if not one.listed)
    is_missing = any(one.weight > minor for one in found if not one.asked)
    words = [one for one in pairs if one.weight >= 0.5 and len(one.listed) > 1]
    telling = [one for one in words if one.listed not in model["common"]]
    sure = [one for one in telling if one.score >= rule["sure"] / 100]
    is_name = len(words) >= (2 if kind == "organisation" else 3) or bool(words[1:] and telling)
    if kind == "organisation":
        is_name |= any(len(one.listed) >= rule["single_word"] for one in sure)
    is_short = len(words) >= 2 and len(sure) >= (2 if kind == "person" else 1)
    if (is_missing or not is_name) and (is_added or not is_short):
        return 0.0
    return sum(one.score * one.weight for one in pairs) / sum(one.weight for one in pairs)
