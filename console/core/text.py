"""Text from people: one Unicode form, and no characters that deceive or cannot be seen."""

import re
import unicodedata
from argparse import ArgumentTypeError
from collections.abc import Callable
from itertools import chain

from fontTools.unicodedata import script

# Marks that turn the reading direction; they can make a name show as another.
BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Control, private-use, surrogate and unassigned characters have no place in a name.
_UNSTORABLE = frozenset({"Cc", "Co", "Cs", "Cn"})
# Nor have formats (zero-width spaces, tags, soft hyphens) and separators of lines and paragraphs.
_UNSEEN = _UNSTORABLE | {"Cf", "Zl", "Zp"}
_ALLOWED_CONTROLS = frozenset("\n\t")
# What else leaves no ink: Unicode's Default_Ignorable_Code_Point beyond these categories (fillers,
# selectors of variants, the grapheme joiner), and the blanks of Braille, of Egyptian and Khitan
# signs and of musical notes.
BLANK = frozenset(
    chain(
        (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
        (0x13441, 0x13442, 0x16FE4, 0x1D159),
        range(0x180B, 0x1810),
        range(0xFE00, 0xFE10),
        range(0xE0100, 0xE01F0),
    )
)
# Zero-width (non-)joiners choose the shape of a letter in these scripts, and do nothing elsewhere.
_JOINERS = frozenset("\u200c\u200d")
_JOINING_SCRIPTS = re.compile(
    "Arab|Beng|Deva|Gujr|Guru|Khmr|Knda|Mlym|Mong|Mymr|Orya|Sinh|Syrc|Taml|Telu|Tibt"
)
# Selectors of variants, and what makes one picture of several: a joiner, the tags of a flag.
_PICTURE = r"[\u2190-\u2bff\U0001f000-\U0001faff]"
_PICTURE_MARKS = re.compile(
    r"(?<=\S)[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
    rf"|(?:(?<={_PICTURE})|(?<=\ufe0f))\u200d(?={_PICTURE})"
    r"|(?<=\U0001f3f4)[\U000e0020-\U000e007e]+\U000e007f"
)
# Shows nothing and does nothing to what is around it: left out without a word. Embeddings and
# isolates are so at the ends of a text alone, where they wrap the whole of it.
_HARMLESS = re.compile(
    r"[\u061c\u200b\u200e\u200f\u2060\ufeff\ufe00-\ufe0f\U000e0100-\U000e01ef]"
    r"|^[\s\u202a-\u202c\u2066-\u2069]+|[\s\u202a-\u202c\u2066-\u2069]+\Z"
)
_SHOWN, _BEFORE = 3, 20


class UnsafeText(ValueError):
    """The text holds a character that cannot be kept. The message is for its writer."""


def unsafe_characters(value: str) -> list[str]:
    """Return the characters that may not be stored at all, in order (profile `agr-json-1`)."""
    return [c for c in value if c in BIDI or _is_in(c, _UNSTORABLE)]


def hidden_characters(value: str) -> list[str]:
    """Return the characters that a reader cannot see, in order: none may be typed."""
    return [c for at, c in enumerate(value) if _is_hidden(c) and not _joins(value, at)]


def named_hidden(value: str) -> str:
    """Name the hidden characters of a text for its writer, each once; nothing where it has none."""
    found = list(dict.fromkeys(hidden_characters(value)))
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return ", ".join(map(_named, found[:_SHOWN])) + more


def without_hidden(value: str) -> str:
    """Return the text without the characters that a reader cannot see."""
    return "".join(c for c in value if not _is_hidden(c))


def without_picture_marks(value: str) -> str:
    """Return the text without variation selectors and what joins emoji into one."""
    return _PICTURE_MARKS.sub("", value)


TextObjection = Callable[[str], str]
# Each with what takes out of a text what is objected to.
_objections: dict[TextObjection, Callable[[str], str]] = {}


def object_to(objection: TextObjection, *, take_out: Callable[[str], str]) -> None:
    """Refuse every text that a package objects to in words. Called from AppConfig.ready().

    `take_out` returns the text as it may be kept, to be shown again: it is objected to as before.
    """
    _objections[objection] = take_out


def keepable(value: str) -> str:
    """Return a text that was refused, as it may be kept: without what must stand nowhere."""
    composed = left = unicodedata.normalize("NFC", value)  # as it was objected to
    for take_out in _objections.values():
        left = take_out(left)
    return value if left == composed else left


def clean(value: str) -> str:
    """Return the text trimmed and in NFC, with Unix line ends, or raise UnsafeText.

    Hidden characters are left out where that changes nothing that a reader sees.
    """
    value = _HARMLESS.sub("", value.replace("\r\n", "\n").replace("\r", "\n"))
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
    """Clean a reason that stands in a command; argparse tells its writer what is wrong with it."""
    try:
        cleaned = clean(value)
    except UnsafeText as unsafe:
        raise ArgumentTypeError(str(unsafe)) from unsafe
    if not cleaned:
        raise ArgumentTypeError("Say why, in a few words.")
    return cleaned


def without_marks(value: str) -> str:
    """Return the text in NFD without its marks: accents, vowel signs, circles around letters."""
    letters = unicodedata.normalize("NFD", value)
    return "".join(c for c in letters if not unicodedata.category(c).startswith("M"))


def _is_hidden(character: str) -> bool:
    return _is_in(character, _UNSEEN) or ord(character) in BLANK


def _is_in(character: str, categories: frozenset[str]) -> bool:
    return unicodedata.category(character) in categories and character not in _ALLOWED_CONTROLS


def _joins(value: str, at: int) -> bool:
    """Tell whether a joiner stands between two letters of one script that needs it."""
    if value[at] not in _JOINERS or not 0 < at < len(value) - 1:
        return False
    before, after = script(value[at - 1]), script(value[at + 1])
    return before == after and bool(_JOINING_SCRIPTS.fullmatch(before))


def _place(value: str) -> str:
    """Say after which words the first hidden character stands."""
    first = next(at for at, c in enumerate(value) if _is_hidden(c) and not _joins(value, at))
    before = " ".join(value[:first].split())[-_BEFORE:]
    return f" after “{before}”" if before else " at the beginning"


def _named(character: str) -> str:
    """Name a character for a person who cannot see it: its number, and its name if it has one."""
    number = f"U+{ord(character):04X}"
    name = unicodedata.name(character, "").lower()
    return f"{number} ({name})" if name else number
