"""The one way in which names are compared: `fold`, and `likeness` of the names of two people.

fold("Søren O’Brien-Großmann")                    -> "soren obrien grossmann"
likeness("Dr. Ann Lee", "LEE, Ann")               -> Likeness.SAME
likeness("Ann Lee", "Ann M. Lee")                 -> Likeness.CLOSE
likeness("Ann Lee", "Ben Lee")                    -> Likeness.OTHER
"""

import re
import unicodedata
from enum import StrEnum

# As the function `accounts_folded` of the database.
# Latin letters that have no accent to lose are read as passports write them (ICAO 9303).
_LATIN = ("øłđðıħŧŋəɓɗɖƙƴɔɛɲʋɣ", "olddihtnebddkyoenvg")
# Forms of one letter: at the end of Greek and Hebrew words, and of Persian and Urdu.
_FORMS = (
    "ς\u05da\u05dd\u05df\u05e3\u05e5\u0671\u0649\u06cc\u06d2\u06a9\u0629\u06c1\u06be\u06c3\u06d5",
    "σ\u05db\u05de\u05e0\u05e4\u05e6\u0627\u064a\u064a\u064a\u0643\u0647\u0647\u0647\u0647\u0647",
)
_DIGITS = ("٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹", "0123456789" * 2)
_LETTERS = str.maketrans(
    dict(zip(*map("".join, zip(_LATIN, _FORMS, _DIGITS, strict=True)), strict=True))
    | {"ß": "ss", "æ": "ae", "œ": "oe", "þ": "th"}
)
_HYPHENS = re.compile("[-\u00ad\u058a\u05be\u2010-\u2015\u2212\u30fb\ufe58\ufe63\uff0d]")
# Joiners and the Arabic line between letters only change how a word is drawn.
_DROPPED = re.compile(
    "['`.,\u0060\u00b4\u00b7\u02b9-\u02bd\u02c8\u05f3\u05f4\u0640\u200c\u200d\u2018-\u201f\u2027"
    '\u2032\u2035\ua78b\ua78c\uff07\u300c\u300d"]'
)
# Accents, vowel signs of Hebrew, Arabic and Syriac, and dots below letters of India.
_MARKS = re.compile(
    "[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a"
    "\u093c\u09bc\u0a3c\u0abc\u0b3c\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
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

    ae, oe and ue are read as the letters that German also writes with two dots, and aa as the
    letter that Danish and Norwegian also write with a ring.
    """
    letters = unicodedata.normalize("NFKD", _DROPPED.sub("", name)).lower()
    plain = _HYPHENS.sub(" ", _MARKS.sub("", letters).translate(_LETTERS))
    plain = re.sub("([aou])e", r"\1", _DROPPED.sub("", plain).replace("aa", "a"))
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
