"""Normalisation and validation of user-entered text: NFC, no hidden or deceptive characters."""

import re
import unicodedata
from argparse import ArgumentTypeError
from collections.abc import Callable
from itertools import chain
from typing import Any, TypeVar

from fontTools.unicodedata import script

# Marks that change the reading direction and can disguise a name as another one.
BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_ISOLATED = "\u2068{}\u2069"
# Control, private-use, surrogate and unassigned characters.
_UNSTORABLE = frozenset({"Cc", "Co", "Cs", "Cn"})
# Also format characters (zero-width spaces, tags, soft hyphens) and line and paragraph separators.
_UNSEEN = _UNSTORABLE | {"Cf", "Zl", "Zp"}
_ALLOWED_CONTROLS = frozenset("\n\t")
# Other invisible characters: the rest of Unicode's Default_Ignorable_Code_Point (fillers, variation
# selectors, the grapheme joiner), and blanks of Braille, Egyptian, Khitan and musical notation.
BLANK = frozenset(
    chain(
        (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
        (0x13441, 0x13442, 0x16FE4, 0x1D159),
        range(0x180B, 0x1810),
        range(0xFE00, 0xFE10),
        range(0xE0100, 0xE01F0),
    )
)
# Zero-width (non-)joiners select a letter's shape in these scripts, and do nothing in others.
_JOINERS = frozenset("\u200c\u200d")
_JOINING_SCRIPTS = re.compile(
    "Arab|Beng|Deva|Gujr|Guru|Khmr|Knda|Mlym|Mong|Mymr|Orya|Sinh|Syrc|Taml|Telu|Tibt"
)
# Variation selectors, and what joins several emoji into one: a joiner, the tags of a flag.
_PICTURE = r"[\u2190-\u2bff\U0001f000-\U0001faff]"
_PICTURE_MARKS = re.compile(
    r"(?<=\S)[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
    rf"|(?:(?<={_PICTURE})|(?<=\ufe0f))\u200d(?={_PICTURE})"
    r"|(?<=\U0001f3f4)[\U000e0020-\U000e007e]+\U000e007f"
)
# Invisible characters without effect on their surroundings, removed silently. Embeddings and
# isolates are such only at the ends of a text, where they enclose all of it.
_HARMLESS = re.compile(
    r"[\u061c\u200b\u200e\u200f\u2060\ufeff\ufe00-\ufe0f\U000e0100-\U000e01ef]"
    r"|^[\s\u202a-\u202c\u2066-\u2069]+|[\s\u202a-\u202c\u2066-\u2069]+\Z"
)
_SHOWN, _BEFORE = 3, 20


Shown = TypeVar("Shown")


class UnsafeText(ValueError):
    """The text contains a forbidden character. The message is for the person who entered it."""


def unsafe_characters(value: str) -> list[str]:
    """Return the characters that must not be stored, in order (profile `agr-json-1`)."""
    return [c for c in value if c in BIDI or _is_in(c, _UNSTORABLE)]


def hidden_characters(value: str) -> list[str]:
    """Return the characters that a reader cannot see, in order. They are refused in input."""
    return [c for at, c in enumerate(value) if _is_hidden(c) and not _joins(value, at)]


def named_hidden(value: str) -> str:
    """Name a text's hidden characters for an error message, each once; "" if there are none."""
    found = list(dict.fromkeys(hidden_characters(value)))
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return ", ".join(map(_named, found[:_SHOWN])) + more


def without_hidden(value: str) -> str:
    """Return the text without the characters that a reader cannot see."""
    return "".join(c for c in value if not _is_hidden(c))


def without_harmless(value: str) -> str:
    """Return the text trimmed and without hidden characters that change nothing a reader sees."""
    return _HARMLESS.sub("", value)


def without_picture_marks(value: str) -> str:
    """Return the text without variation selectors and the characters that join emoji."""
    return _PICTURE_MARKS.sub("", value)


TextObjection = Callable[[str], str]
# Each objection with the function that removes what it objects to.
_objections: dict[TextObjection, Callable[[str], str]] = {}


def object_to(objection: TextObjection, *, take_out: Callable[[str], str]) -> None:
    """Refuse texts for which `objection` returns a message. Called from AppConfig.ready().

    `take_out` returns the text without what is objected to, to show it in the form again.
    """
    _objections[objection] = take_out


def keepable(value: str) -> str:
    """Return a refused text without what must never be stored, to show it in the form again."""
    composed = left = unicodedata.normalize("NFC", value)  # the form that was objected to
    for take_out in _objections.values():
        left = take_out(left)
    return value if left == composed else left


def clean(value: str) -> str:
    """Return the text trimmed, in NFC and with Unix line endings, or raise UnsafeText.

    Hidden characters are removed if that changes nothing a reader sees.
    """
    value = without_harmless(value.replace("\r\n", "\n").replace("\r", "\n"))
    value = unicodedata.normalize("NFC", value).strip()
    if named := named_hidden(value):
        raise UnsafeText(
            f"Remove the hidden character {named}{_place(value)}. Try typing the text instead of "
            "pasting it."
        )
    for objection in _objections:
        if words := objection(value):
            raise UnsafeText(words)
    return value


def reason(value: str) -> str:
    """Clean a reason given on the command line, or raise ArgumentTypeError with what is wrong."""
    try:
        cleaned = clean(value)
    except UnsafeText as unsafe:
        raise ArgumentTypeError(str(unsafe)) from unsafe
    if not says_something(cleaned):
        raise ArgumentTypeError("Say why, in a few words.")
    return cleaned


def says_something(value: str) -> bool:
    """Tell whether it has a letter of any script. A reason of signs and digits gives none."""
    return any(character.isalpha() for character in value)


def reads_leftward(value: str) -> bool:
    """Tell whether any of the text is written from right to left."""
    return any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in value)


def isolated(value: Shown) -> Shown:
    """Return a text to be shown in a sentence, so that it reorders no words around it.

    If any of it is written from right to left, it gets marks, and its first letter sets the
    direction of its words. Other values are returned as they are.
    """
    if not isinstance(value, str) or not reads_leftward(value):
        return value
    # A text that is safe in HTML stays so.
    kind: Any = type(value)
    marked: Shown = kind(_ISOLATED.format(value))
    return marked


def without_marks(value: str) -> str:
    """Return the text in NFD without marks: accents, vowel signs, circles around letters."""
    letters = unicodedata.normalize("NFD", value)
    return "".join(c for c in letters if not unicodedata.category(c).startswith("M"))


def _is_hidden(character: str) -> bool:
    return _is_in(character, _UNSEEN) or ord(character) in BLANK


def _is_in(character: str, categories: frozenset[str]) -> bool:
    return unicodedata.category(character) in categories and character not in _ALLOWED_CONTROLS


def _joins(value: str, at: int) -> bool:
    """Tell whether a joiner is between two letters of one script that uses it."""
    if value[at] not in _JOINERS or not 0 < at < len(value) - 1:
        return False
    before, after = script(value[at - 1]), script(value[at + 1])
    return before == after and bool(_JOINING_SCRIPTS.fullmatch(before))


def _place(value: str) -> str:
    """Return the words before the first hidden character, for an error message."""
    first = next(at for at, c in enumerate(value) if _is_hidden(c) and not _joins(value, at))
    before = " ".join(value[:first].split())[-_BEFORE:]
    return f" after “{before}”" if before else " at the beginning"


def _named(character: str) -> str:
    """Return a character's code point and its name, if it has one, for an error message."""
    number = f"U+{ord(character):04X}"
    name = unicodedata.name(character, "").lower()
    return f"{number} ({name})" if name else number
