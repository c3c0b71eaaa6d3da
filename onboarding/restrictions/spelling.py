"""Comparison of names in three forms: as written, normalised, and by look-alike letters.

normalised("Ｓóciété")            -> "societe": NFKC, without case and marks
skeletons("Ѕосіеtе")             -> what all texts that look the same share (Unicode TR39)
form_that_holds("acme", name)    -> the strictest Form in which the name contains it, or None
"""

import unicodedata
from enum import StrEnum
from functools import cache

from confusable_homoglyphs import confusables

from console.core.text import BLANK, without_marks

# The table puts direction marks around right-to-left characters.
_DIRECTION = "\u200e"


class Form(StrEnum):
    """The form in which a name was found. Each one also finds what the previous one finds."""

    WRITTEN = "as written"
    NORMALISED = "without case, marks and variants of letters"
    LOOK_ALIKE = "by letters that look alike"


def normalised(text: str) -> str:
    """Return the text in NFKC, without case and marks, with single spaces between words."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(_seen_letters(folded).split())


def skeletons(text: str) -> tuple[str, str]:
    """Return two skeletons, each shared by look-alike texts: of the text as read, and as seen.

    NFKC resolves variants of letters (ſ is an s, although it looks like an f), but turns some
    look-alikes into other letters (ϲ becomes a final sigma), so look-alikes are also replaced
    before NFKC. Two texts look alike if either skeleton is equal.
    """
    seen = "".join(map(_prototype, unicodedata.normalize("NFD", text)))
    return skeleton(text), skeleton(seen)


def skeleton(text: str) -> str:
    """Return the skeleton that all texts share which look like this one in NFKC.

    Letters are compared as written first, because only then does a Greek capital look like a Latin
    one, and then without case. A capital I looks like a small l, so i becomes l.
    """
    seen = _seen_letters(unicodedata.normalize("NFKC", text))
    for _ in range(2):
        seen = "".join(map(_prototype, seen)).casefold()
    return normalised(seen).replace("i", "l")


def spellings(text: str) -> frozenset[str]:
    """Return a text's forms. Texts that share one are spelled alike or look alike."""
    return frozenset({normalised(text), *skeletons(text)})


def form_that_holds(words: str, name: str) -> Form | None:
    """Return the strictest form in which `name` contains `words`, or None."""
    if words in name:
        return Form.WRITTEN
    if normalised(words) in normalised(name):
        return Form.NORMALISED
    alike = zip(skeletons(words), skeletons(name), strict=True)
    return Form.LOOK_ALIKE if any(one in other for one, other in alike) else None


def _seen_letters(text: str) -> str:
    """Remove marks and invisible characters (joiners, zero-width spaces, fillers)."""
    shown = (c for c in without_marks(text) if unicodedata.category(c) != "Cf")
    return "".join(c for c in shown if ord(c) not in BLANK)


@cache
def _prototype(character: str) -> str:
    """Return the prototype of a character: what all its look-alikes are replaced by.

    The table lists each character's look-alikes, in both directions. The prototype of a class is
    the character with several look-alikes or, if two only have each other, the first of them.
    """
    like = _look_alikes(character)
    if len(like) != 1:
        return character
    return like[0] if len(_look_alikes(like[0])) > 1 else min(character, like[0])


def _look_alikes(text: str) -> list[str]:
    return _table().get(text, [])


@cache
def _table() -> dict[str, list[str]]:
    """Return the look-alikes of each character, without direction marks."""
    table: dict[str, list[str]] = {}
    for key, listed in confusables.confusables_data.items():
        like = table.setdefault(key.strip(_DIRECTION), [])
        like += [c for one in listed if (c := one["c"].strip(_DIRECTION)) not in like]
    return table
