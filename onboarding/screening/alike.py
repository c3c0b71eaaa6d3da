"""Which words of two names are alike: by their sounds, their beginnings, their letters.

Only the scorer process imports this module, as `matching`.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import product

from rigour.names import Name, NamePart, SymbolCategory
from rigour.text.distance import levenshtein
from rigour.text.translit import maybe_ascii

from onboarding.screening.names import sounds
from onboarding.screening.spelling import plain_spellings, readings

TRADES = (SymbolCategory.DOMAIN, SymbolCategory.SYMBOL)
# Symbols of rigour that are names, not trades.
_ONE_NAME = ("ALQAEDA", "HEZBOLLAH", "IRGC")
_VOWELS = frozenset("aeiouy")


def spelled_alike(one: NamePart, other: NamePart) -> bool:
    """Tell whether two words are one word as two languages spell it."""
    return one.latinize and other.latinize and _words_spelled_alike(one.form, other.form)


@lru_cache(maxsize=100_000)
def _words_spelled_alike(one: str, other: str) -> bool:
    return not plain_spellings(one).isdisjoint(plain_spellings(other))


def sound_alike(one: NamePart, other: NamePart) -> bool:
    """Tell whether two words have the same sounds as some language spells them."""
    if not (one.latinize and other.latinize):
        return sounds_of([one]) == sounds_of([other]) != ""
    return _words_sound_alike(one.form, other.form)


@lru_cache(maxsize=100_000)
def _words_sound_alike(one: str, other: str) -> bool:
    return any(
        a == b
        or (
            len(sound := sound_of(a)) >= 2
            and sound == sound_of(b)
            and begin_alike(a, b)
            and levenshtein(a, b) <= max(len(a), len(b)) // 3
        )
        for a, b in product(set(readings(one)), set(readings(other)))
    )


def sound_nearly_alike(one: NamePart, other: NamePart) -> bool:
    """Tell whether words in two scripts differ in one sound."""
    if one.latinize and other.latinize:
        return False
    a, b = sounds_of([one]), sounds_of([other])
    return max(len(a), len(b)) >= 3 and levenshtein(a, b) == 1


def begin_alike(one: str, other: str) -> bool:
    """Tell whether two words begin with one sound as some language spells them."""
    if one[0] == other[0] or not (is_latin(one) and is_latin(other)):
        return True
    heard = [set().union(*map(_beginnings, readings(word))) for word in (one, other)]
    return bool(heard[0] & heard[1])


def _beginnings(word: str) -> set[str]:
    # Walid is also Oualid, but Westmark is not Eastmark.
    if word[:1] in _VOWELS:
        return {"vowel", "w"} if word[0] in "ou" else {"vowel"}
    return {"w"} if word[:1] == "w" else {sound_of(word[:3])[:1]}


def share_letters(one: str, other: str) -> bool:
    """Tell whether two Latin words have half of their letters in common."""
    if not (is_latin(one) and is_latin(other)):
        return True
    return levenshtein(one, other) <= max(len(one), len(other)) // 2


def is_initial(one: NamePart, other: NamePart) -> bool:
    """Tell whether one word is the initial of the other."""
    a, b = one.comparable, other.comparable
    return min(len(a), len(b)) == 1 and a[0] == b[0]


def are_latin(parts: Iterable[NamePart]) -> bool:
    """Tell whether all words are in Latin letters."""
    return all(part.latinize for part in parts)


def sounds_of(parts: Iterable[NamePart]) -> str:
    """Return the sounds of words, as one word."""
    return "".join(sound_of(part.form) for part in parts)


@lru_cache(maxsize=100_000)
def sound_of(word: str) -> str:
    return "".join(sounds(word))


@lru_cache(maxsize=100_000)
def is_latin(text: str) -> bool:
    """Tell whether a text can be written in Latin letters without loss."""
    return maybe_ascii(text).isascii()


def trades(*names: Name) -> set[str]:
    """Return the words of names that say what many companies do, and where."""
    kinds = (*TRADES, SymbolCategory.LOCATION)
    return {
        part.form
        for name in names
        for one in name.spans
        if one.symbol.category in kinds and one.symbol.id not in _ONE_NAME
        for part in one.parts
    }
