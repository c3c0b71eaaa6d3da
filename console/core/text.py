"""Text from people: one Unicode form, and no characters that deceive."""

import unicodedata

# Marks that turn the reading direction; they can make a name show as another.
BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Control, private-use, surrogate and unassigned characters have no place in a name.
_REFUSED = frozenset({"Cc", "Co", "Cs", "Cn"})
_ALLOWED_CONTROLS = frozenset("\n\t")


class UnsafeText(ValueError):
    """The text holds a character that cannot be kept. The message is for its writer."""


def unsafe_characters(value: str) -> list[str]:
    """Return the characters that may not be stored, in order."""
    return [c for c in value if c in BIDI or _is_refused(c)]


def clean(value: str) -> str:
    """Return the text trimmed and in NFC, with Unix line ends, or raise UnsafeText."""
    value = unicodedata.normalize("NFC", value.replace("\r\n", "\n").replace("\r", "\n")).strip()
    if found := unsafe_characters(value):
        names = ", ".join(sorted({f"U+{ord(c):04X}" for c in found})[:3])
        raise UnsafeText(
            f"Remove the hidden character {names}. Try typing the text instead of pasting it."
        )
    return value


def _is_refused(character: str) -> bool:
    return unicodedata.category(character) in _REFUSED and character not in _ALLOWED_CONTROLS
