"""The one way in which names are compared: `fold`, and `likeness` of the names of two people.

fold("Søren O’Brien-Großmann")                    -> "soren obrien grossmann"
likeness("Dr. Ann Lee", "LEE, Ann")               -> Likeness.SAME
likeness("Ann Lee", "Ann M. Lee")                 -> Likeness.CLOSE
likeness("Ann Lee", "Ben Lee")                    -> Likeness.OTHER
"""

import re
import unicodedata
from enum import StrEnum

# As the function `accounts_folded` of the database, with more signs.
_LETTERS = str.maketrans({
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "ħ": "h", "ŧ": "t",
    "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th",
})  # fmt: skip
_HYPHENS = re.compile("[-\u00ad\u058a\u05be\u2010-\u2015\u2212\u30fb\ufe58\ufe63\uff0d]")
_DROPPED = re.compile(
    "['`.,\u0060\u00b4\u02b9-\u02bd\u02c8\u05f3\u05f4\u2018-\u201f\u2032\u2035\ua78c\uff07\u300c\u300d\"]"
)
# Before or after a name, and no part of it. The suffixes of a son, as “Jr”, are part of it.
_TITLES = frozenset(
    [
        "mr",
        "mrs",
        "ms",
        "mx",
        "miss",
        "dr",
        "prof",
        "professor",
        "sir",
        "dame",
        "madam",
        "herr",
        "frau",
        "mme",
        "mlle",
        "monsieur",
        "madame",
        "sr",
        "sra",
        "srta",
        "senor",
        "senora",
        "dott",
        "dottssa",
        "dipl",
        "ing",
        "mag",
        "univ",
        "rev",
        "hon",
        "eng",
        "engr",
        "barr",
        "barrister",
        "chief",
        "alhaji",
        "alhaja",
        "hajia",
        "sheikh",
        "phd",
        "msc",
        "bsc",
        "mba",
        "llm",
        "md",
        "esq",
        "obe",
        "cbe",
        "mbe",
    ]
)
_FEWEST_WORDS = 2


class Likeness(StrEnum):
    """How alike the names of two people are. CLOSE: middle names or initials differ."""

    SAME = "same"
    CLOSE = "close"
    OTHER = "other"


def fold(name: str) -> str:
    """Return a name without case, accents, ligatures, apostrophes, dots and hyphens.

    ae, oe and ue are read as the letters that German also writes with two dots.
    """
    signs = _DROPPED.sub("", name)
    letters = unicodedata.normalize("NFKD", signs).lower()
    plain = re.sub("[\u0300-\u036f]", "", letters).translate(_LETTERS)
    plain = re.sub("([aou])e", r"\1", _DROPPED.sub("", _HYPHENS.sub(" ", plain)))
    return " ".join(plain.split())


def likeness(one: str, other: str) -> Likeness:
    """Compare two people's names. The order of words, titles and hyphens make no difference."""
    mine, theirs = _words(one), _words(other)
    if sorted(mine) == sorted(theirs) or "".join(mine) == "".join(theirs):
        return Likeness.SAME
    few, many = sorted((mine, theirs), key=len)
    return Likeness.CLOSE if len(few) >= _FEWEST_WORDS and _is_in(few, many) else Likeness.OTHER


def _words(name: str) -> list[str]:
    """Return the folded words of a name, without titles unless hardly a word is left."""
    # Initials may be written together: J.R.
    words = fold(re.sub(r"\b(\w)\.(?=\w\b)", r"\1 ", name)).split()
    left = [word for word in words if word not in _TITLES]
    return left if len(left) >= _FEWEST_WORDS else words


def _is_in(few: list[str], many: list[str]) -> bool:
    """Tell whether each word is another one's, or its initial, and at least one in full."""
    left, whole = list(many), 0
    for word in sorted(few, key=len, reverse=True):
        if word in left:
            left.remove(word)
            whole += 1
        elif fits := [one for one in left if _is_initial(word, one)]:
            left.remove(fits[0])
        else:
            return False
    return whole > 0


def _is_initial(one: str, other: str) -> bool:
    return 1 in (len(one), len(other)) and one[0] == other[0]
