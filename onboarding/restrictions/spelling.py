"""The forms under which two spellings of a name are compared: as written, normalised, look-alike.

normalised("Ｓóciété")            -> "societe": NFKC, without case and without marks
skeletons("Ѕосіеtе")             -> the texts for whatever looks the same (Unicode TR39)
form_that_holds("acme", name)    -> the narrowest Form in which the name holds the words, or None
"""

import unicodedata
from enum import StrEnum
from functools import cache

from confusable_homoglyphs import confusables

from console.core.text import BLANK, without_marks

# The table puts marks of direction around characters that are written from right to left.
_DIRECTION = "\u200e"


class Form(StrEnum):
    """In which form a name was found; each finds all that the one before it finds."""

    WRITTEN = "as written"
    NORMALISED = "without case, marks and variants of letters"
    LOOK_ALIKE = "by letters that look alike"


def normalised(text: str) -> str:
    """Return the text in NFKC, without case and without marks, one space between words."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(_seen_letters(folded).split())


def skeletons(text: str) -> tuple[str, str]:
    """Return what stands for all texts that look like this one: as it is read, and as it is seen.

    NFKC tells which letter a variant is (ſ is an s, which looks like an f), but makes another of
    some that only look like one (ϲ becomes a final sigma): so those are replaced before, too. Two
    texts look alike where either is the same.
    """
    seen = "".join(map(_prototype, unicodedata.normalize("NFD", text)))
    return skeleton(text), skeleton(seen)


def skeleton(text: str) -> str:
    """Return what stands for all texts that look like this one once it is read in NFKC.

    Letters are compared as they were written first, for only then a Greek capital looks like a
    Latin one; then without case. A capital I looks like a small l, so i counts as l too.
    """
    seen = _seen_letters(unicodedata.normalize("NFKC", text))
    for _ in range(2):
        seen = "".join(map(_prototype, seen)).casefold()
    return normalised(seen).replace("i", "l")


def spellings(text: str) -> frozenset[str]:
    """Return the forms of a text; two texts that share one are written, or look, alike."""
    return frozenset({normalised(text), *skeletons(text)})


def form_that_holds(words: str, name: str) -> Form | None:
    """Return the narrowest form in which `name` holds `words`, or None."""
    if words in name:
        return Form.WRITTEN
    if normalised(words) in normalised(name):
        return Form.NORMALISED
    alike = zip(skeletons(words), skeletons(name), strict=True)
    return Form.LOOK_ALIKE if any(one in other for one, other in alike) else None


def _seen_letters(text: str) -> str:
    """Leave out marks, and what nobody sees (joiners, zero-width space, fillers)."""
    shown = (c for c in without_marks(text) if unicodedata.category(c) != "Cf")
    return "".join(c for c in shown if ord(c) not in BLANK)


@cache
def _prototype(character: str) -> str:
    """Return the one character, or few, that stand for all that look like this one.

    The table lists for each character its look-alikes, in both directions. The prototype of a class
    is the one that has several; where two have only each other, it is the first of them.
    """
    like = _look_alikes(character)
    if len(like) != 1:
        return character
    return like[0] if len(_look_alikes(like[0])) > 1 else min(character, like[0])


def _look_alikes(text: str) -> list[str]:
    return _table().get(text, [])


@cache
def _table() -> dict[str, list[str]]:
    """Return the look-alikes of each character, without the marks of direction."""
    table: dict[str, list[str]] = {}
    for key, listed in confusables.confusables_data.items():
        like = table.setdefault(key.strip(_DIRECTION), [])
        like += [c for one in listed if (c := one["c"].strip(_DIRECTION)) not in like]
    return table
