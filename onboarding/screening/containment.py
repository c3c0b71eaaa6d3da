"""Names that hold another name whole: a listed name with words added, or with words left out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from onboarding.screening.ordinary import known_words, ordinary_words
from onboarding.screening.spelling import readings

_WRITTEN = ("same", "spelled")
_SOUNDS = ("spelled", "sound", "near_sound")


@dataclass(frozen=True)
class AlignedWords:
    """Words of both names that belong together, and why. One side is empty for an extra word."""

    asked: str
    listed: str
    why: str
    score: float
    weight: float


def contained(
    found: Sequence[AlignedWords],
    kind: str,
    model: Mapping[str, Any],
    trades: Callable[[], set[str]],
) -> float:
    """Return the score of the words that both names have, if one name holds the other, or 0.

    `trades` returns the words of both names that say what companies do and where.
    """
    rule = model["contained"]
    pairs = [one for one in found if one.asked and one.listed]
    if any(one.score < rule["least"] / 100 or _is_doubtful(one) for one in pairs):
        return 0.0
    words = [one for one in pairs if one.weight >= 0.5 and len(one.listed) > 1]
    if len(words) < (1 if kind == "organisation" else 2):
        return 0.0
    minor = model["weights"]["extra_minor"] / 100
    extra = [one for one in found if not (one.asked and one.listed) and one.weight > minor]
    generic = model["generic"] | trades()
    # A translation of a word that says what companies do tells nothing.
    telling = [
        one
        for one in words
        if not (generic if one.why == "symbol" else model["common"]).issuperset(one.listed.split())
    ]
    sure = [one for one in telling if _is_sure(one, rule)]
    if kind == "organisation":
        is_held = _is_company(words, telling, sure, extra, generic, rule)
    else:
        is_name = bool(telling) or sum(len(one.listed.split()) for one in words) >= 3
        is_short = len(sure) >= (2 if kind == "person" else 1)
        is_held = _is_human(words, extra, model, is_name=is_name, is_short=is_short)
    if not is_held:
        return 0.0
    return sum(one.score * one.weight for one in pairs) / sum(one.weight for one in pairs)


def _is_doubtful(one: AlignedWords) -> bool:
    """Tell whether a word is paired with its initial or with a word that holds it."""
    if one.why == "letters" and " " not in one.asked + one.listed:
        return 3 * abs(len(one.asked) - len(one.listed)) > len(one.listed)
    return one.why == "initial"


def _is_sure(one: AlignedWords, rule: Mapping[str, Any]) -> bool:
    is_long = len(one.listed) >= rule["long_word"] and one.why in _SOUNDS
    return is_long or one.score >= rule["sure"] / 100


def _is_rare(one: AlignedWords, generic: frozenset[str]) -> bool:
    both = (one.asked, one.listed)
    return ordinary_words().isdisjoint(both) and generic.isdisjoint(both)


def _is_human(
    words: Sequence[AlignedWords],
    extra: Sequence[AlignedWords],
    model: Mapping[str, Any],
    *,
    is_name: bool,
    is_short: bool,
) -> bool:
    """Tell whether words that two names have name a human beside what one of them has more."""
    added = [one for one in extra if one.asked]
    missing = [one for one in extra if one.listed]
    # Many leave out a patronymic.
    patronymic, other = (model["weights"][f"extra_{key}"] for key in ("patronymic", "listed"))
    is_whole = all(patronymic < other and one.weight <= patronymic / 100 for one in missing)
    if not added:
        return is_short or (is_name and is_whole)
    # Short words that only sound alike are in many names beside others, as Min and Ming.
    rule = model["contained"]
    is_written = all(
        one.why in _WRITTEN
        or (not missing and len(one.listed) >= rule["short_word"] and _is_sure(one, rule))
        for one in words
    )
    return is_name and is_whole and is_written


def _is_company(
    words: Sequence[AlignedWords],
    telling: Sequence[AlignedWords],
    sure: Sequence[AlignedWords],
    extra: Sequence[AlignedWords],
    generic: frozenset[str],
    rule: Mapping[str, Any],
) -> bool:
    """Tell whether words that two names have name a company beside what one of them has more."""
    added = [one.asked for one in extra if one.asked]
    missing = [one.listed for one in extra if one.listed]
    adds_trade, lacks_trade = (
        generic.issuperset(readings(one)[0] for one in more) for more in (added, missing)
    )
    rare = [one for one in sure if _is_rare(one, generic)]
    # A word of few letters is a name for itself, as VTB is.
    is_alone = any(
        (adds_trade or one.listed not in known_words())
        and (len(one.listed) >= rule["single_word"] or (one.why == "same" and not added))
        for one in rare
    )
    if not missing:
        return is_alone or (len(words) >= 2 and (adds_trade or bool(telling)))
    # Companies of other trades share a short word, as Mirae Chemical and Mirae Shipping.
    is_long = any(len(one.listed) > rule["short_word"] for one in rare)
    if lacks_trade and is_alone and (not added or (adds_trade and is_long)):
        return True
    return len(words) >= 2 and bool(sure) and (not added or (adds_trade and bool(rare)))
