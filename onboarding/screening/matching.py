"""Scores of two names, with rigour: word order, legal forms, scripts, initials, typing mistakes.

Only the scorer process imports this module, because rigour's table of personal names takes seconds
to load and 300 MB of memory.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any

from rigour.names import (
    Alignment,
    CompareConfig,
    Name,
    NamePart,
    NamePartTag,
    NameTypeTag,
    SymbolCategory,
    align_person_name_order,
    analyze_names,
    compare_parts,
    pair_symbols,
)
from rigour.text.distance import levenshtein

from onboarding.screening.alike import (
    TRADES,
    are_latin,
    begin_alike,
    is_initial,
    is_latin,
    share_letters,
    sound_alike,
    sound_nearly_alike,
    sounds_of,
    spelled_alike,
    trades,
)
from onboarding.screening.containment import AlignedWords, contained
from onboarding.screening.letters import folded, spellings, with_initials_apart
from onboarding.screening.names import ARTICLES, COMMON, with_spaced_articles

MINOR = (NamePartTag.LEGAL, NamePartTag.STOP)
# Words of fewer letters pass no typing mistake.
LEAST_LETTERS = 1.0
# Names of so few letters are no other spelling of a name that begins otherwise.
SHORT_NAME = 4
# Russian, Ukrainian and Turkic names of the father, which many leave out.
_PATRONYMIC = re.compile(r"..(?:[eo]vi?t?ch|[eo]vna|ichna|o[gh]l[uiy]|[kq][iy]zy)$")
Parts = list[NamePart]


@dataclass(frozen=True)
class NameComparison:
    """The score of two names between 0 and 1, the listed name, and the words that decided it."""

    score: float = 0.0
    name: str = ""
    parts: tuple[AlignedWords, ...] = ()


@dataclass
class _Rest:
    """The words of one pairing that are still without a counterpart, and those that have one."""

    model: Mapping[str, Any]
    asked: Parts
    listed: Parts
    found: list[AlignedWords] = field(default_factory=list)

    def weight(self, parts: Iterable[NamePart], full: float = 1.0) -> float:
        minor = self.model["weights"]["minor"] / 100
        return sum(minor if _is_minor(one) else full for one in parts)

    def add(self, asked: Parts, listed: Parts, why: str, score: float, weight: float) -> None:
        self.found.append(AlignedWords(_text(asked), _text(listed), why, score, weight))

    def pair(
        self, same: Callable[[NamePart, NamePart], bool], why: str, score: float, full: float = 1.0
    ) -> None:
        """Pair words that are the same in this respect."""
        for one in list(self.asked):
            other = next((part for part in self.listed if same(one, part)), None)
            if other is not None:
                self.add([one], [other], why, score, self.weight([one], full))
                self.asked.remove(one)
                self.listed.remove(other)


def prepared(model: Mapping[str, Any]) -> dict[str, Any]:
    """Return a model with its lines of words as sets, and those that no name needs."""
    common, generic, titles = (
        frozenset(" ".join(model[key]).split()) for key in ("common", "generic", "titles")
    )
    words = {"common": common, "generic": common | generic, "unimportant": COMMON | titles}
    return {**model, **words}


def least(kind: str, model: Mapping[str, Any]) -> float:
    """Return the score from which a name of this kind of entry is a possible match."""
    return float(model["person_from" if kind == "person" else "organisation_from"] / 100)


def score(asked: str, kind: str, listed: Sequence[str], model: Mapping[str, Any]) -> NameComparison:
    """Return the best comparison of a name with the names of one entry."""
    names = spellings(asked)
    names += [part for name in names for part in _latin_names(name) if " " in part]
    names += [with_initials_apart(asked)] if kind == "person" else []
    found = (_best(one, kind, listed, model) for one in dict.fromkeys(names))
    return max(found, key=lambda comparison: comparison.score)


def _best(asked: str, kind: str, listed: Sequence[str], model: Mapping[str, Any]) -> NameComparison:
    best = NameComparison()
    # A Latin name is compared with an entry's names in Latin letters alone.
    if is_latin(asked):
        listed = [part for name in listed for part in _latin_names(name)]
    for name in map(folded, listed):
        for one in _analysed(kind, asked):
            for other in _analysed(kind, name):
                found = _compare(one, other, kind, name, model)
                best = max(best, found, key=lambda comparison: comparison.score)
    return best


def _compare(
    asked: Name, listed: Name, kind: str, name: str, model: Mapping[str, Any]
) -> NameComparison:
    best = NameComparison()
    for pairing in pair_symbols(asked, listed) or [()]:
        found = _align(asked, listed, pairing, kind, model)
        weight = sum(one.weight for one in found)
        total = sum(one.score * one.weight for one in found) / weight if weight else 0.0
        total = max(total, contained(found, kind, model, partial(trades, asked, listed)))
        if total > best.score:
            best = NameComparison(total, name, tuple(found))
    return best


def _align(
    asked: Name,
    listed: Name,
    pairing: Sequence[Alignment],
    kind: str,
    model: Mapping[str, Any],
) -> list[AlignedWords]:
    """Align the words of two names, surest first."""
    known = [one for one in pairing if not _is_doubtful(one)]
    rest = _Rest(
        model,
        _without(asked.parts, (part for one in known for part in one.qps)),
        _without(listed.parts, (part for one in known for part in one.rps)),
    )
    scores = {key: value / 100 for key, value in model["scores"].items()}
    for one in known:
        weight = _symbol_weight(one, rest)
        rest.add(list(one.qps), list(one.rps), *_symbol_score(one, scores), weight)
    if len(rest.asked) != len(rest.listed) and 1 in (len(rest.asked), len(rest.listed)):
        _join(rest, scores["joined"])
    rest.pair(lambda one, other: one.comparable == other.comparable, "same", 1.0)
    rest.pair(spelled_alike, "spelled", scores["spelled"])
    rest.pair(sound_alike, "sound", scores["sound"])
    rest.pair(sound_nearly_alike, "near_sound", scores["near_sound"])
    if kind == "person":
        rest.pair(is_initial, "initial", scores["initial"], model["weights"]["initial"] / 100)
    _pair_by_letters(rest)
    _join(rest, scores["joined"])
    _add_extras(rest, kind)
    return rest.found


def _symbol_score(one: Alignment, scores: Mapping[str, float]) -> tuple[str, float]:
    if one.qstr == one.rstr:
        return "same", 1.0
    if _category(one) in (SymbolCategory.ORG_CLASS, SymbolCategory.NUMERIC):
        return "symbol", 1.0
    if _category(one) != SymbolCategory.NAME:
        return "symbol", scores["symbol"]
    return "name", scores["name" if share_letters(one.qstr, one.rstr) else "far_name"]


def _symbol_weight(one: Alignment, rest: _Rest) -> float:
    weights, category = rest.model["weights"], _category(one)
    if category == SymbolCategory.ORG_CLASS:
        return float(weights["legal_form"] / 100)
    full = 1.0
    if category in TRADES:
        full = weights["common"] / 100
    elif category == SymbolCategory.LOCATION:
        full = weights["place"] / 100
    return max(rest.weight(one.qps, full), rest.weight(one.rps, full))


def _is_doubtful(one: Alignment) -> bool:
    """Tell whether rigour pairs an initial, or short names that do not even begin alike."""
    if _category(one) != SymbolCategory.NAME or not is_latin(one.qstr + one.rstr):
        return _category(one) == SymbolCategory.INITIAL
    is_short = max(len(one.qstr), len(one.rstr)) <= SHORT_NAME
    return is_short and not begin_alike(one.qstr, one.rstr)


def _category(one: Alignment) -> SymbolCategory:
    assert one.symbol is not None
    return one.symbol.category


def _pair_by_letters(rest: _Rest) -> None:
    """Pair words that differ by typing mistakes, or by where they are separated."""
    asked, listed = align_person_name_order(rest.asked, rest.listed)
    rest.asked, rest.listed = [], []
    for one in compare_parts(asked, listed, _tolerance(rest.model["edits"])):
        if one.score >= _least_similarity(one, rest.model):
            weight = max(rest.weight(one.qps), rest.weight(one.rps))
            rest.add(list(one.qps), list(one.rps), "letters", one.score, weight)
        else:
            rest.asked += one.qps
            rest.listed += one.rps


def _least_similarity(one: Alignment, model: Mapping[str, Any]) -> float:
    """Return how similar words must be: more if they begin otherwise, and the same if short."""
    if max(len(one.qstr), len(one.rstr)) < SHORT_NAME:
        return 1.0
    is_pair = one.qstr and one.rstr
    key = "edit_start_from" if is_pair and not begin_alike(one.qstr, one.rstr) else "edit_from"
    return float(model[key]) / 100


def _join(rest: _Rest, score: float) -> None:
    """Pair everything left in two scripts, if it sounds alike when written as one word."""
    if not rest.asked or not rest.listed or are_latin([*rest.asked, *rest.listed]):
        return
    one, other = sounds_of(rest.asked), sounds_of(rest.listed)
    longest = max(len(one), len(other))
    if longest >= 3 and levenshtein(one, other) <= longest * rest.model["joined_edits"] / 100:
        weight = min(rest.weight(rest.asked), rest.weight(rest.listed))
        rest.add(rest.asked, rest.listed, "joined", score, weight)
        rest.asked, rest.listed = [], []


def _add_extras(rest: _Rest, kind: str) -> None:
    weights = {key: value / 100 for key, value in rest.model["weights"].items()}
    # A business may have a person's name, and a person a title.
    is_whole = sum(bool(one.asked and one.listed) for one in rest.found) > 1
    unimportant = rest.model["unimportant"] if kind == "person" and is_whole else ()
    for one in rest.asked:
        minor = _is_minor(one) or len(one.form) == 1 or one.form in unimportant
        rest.add([one], [], "extra", 0.0, weights["extra_minor" if minor else "extra_asked"])
    for one in rest.listed:
        key = "extra_minor" if _is_minor(one) else "extra_listed"
        if kind == "person" and _PATRONYMIC.search(one.comparable):
            key = "extra_patronymic"
        rest.add([], [one], "extra", 0.0, weights[key])


def _is_minor(part: NamePart) -> bool:
    return part.tag in MINOR or part.comparable in ARTICLES


def _without(parts: Iterable[NamePart], gone: Iterable[NamePart]) -> Parts:
    places = {one.index for one in gone}
    return [part for part in parts if part.index not in places]


def _text(parts: Iterable[NamePart]) -> str:
    return " ".join(part.form for part in parts)


@lru_cache(maxsize=100_000)
def _latin_names(name: str) -> tuple[str, ...]:
    """Return the Latin names in a text: both in `حسن غول (Hassan Ghul; Hassan Gul)`."""
    if is_latin(name):
        return (name,)
    parts = (" ".join(filter(is_latin, part.split())) for part in re.split(r"[();]", name))
    return tuple(part for part in parts if any(map(str.isalpha, part)))


@lru_cache(maxsize=4)
def _tolerance(edits: int) -> CompareConfig:
    return CompareConfig(budget_tolerance=edits / 100, budget_short_floor=LEAST_LETTERS)


@lru_cache(maxsize=60_000)
def _analysed(kind: str, name: str) -> tuple[Name, ...]:
    tag = NameTypeTag.PER if kind == "person" else NameTypeTag.ORG
    spaced = with_spaced_articles(name)
    return tuple(analyze_names(tag, [spaced], consolidate=False, phonetics=False))


def load() -> None:
    """Load the tables of names, which the first comparison of each kind would load otherwise."""
    for kind in ("person", "organisation"):
        _analysed(kind, "-")
        _analysed(kind, "John Smith Ltd")
