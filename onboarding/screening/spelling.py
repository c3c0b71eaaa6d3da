"""Spellings of words: how groups of languages write the same sounds.

A word has one reading for each group of languages that spells it in its own way: Petruschkow and
Petrouchkov are also Petrushkov. Readings are the same in `plain_spelling` if they differ in what
English spells in several ways as well: Sergei and Sergey, Alexei and Aleksey.
"""

import re
from functools import lru_cache

# Letters that sound otherwise without their mark. Capitals are sounds that no rule changes.
_MARKED = str.maketrans(
    {"ç": "C", "č": "C", "ć": "C", "ş": "S", "ș": "S", "š": "S", "ś": "S"}
    | {"ż": "Z", "ž": "Z", "ź": "Z", "đ": "dj", "ğ": "g", "ı": "i", "ł": "l"}
)
_SOUNDS = str.maketrans({"C": "ch", "S": "sh", "Z": "zh", "J": "j"})
# How groups of languages spell sounds, in this order, beside English.
_SPELLINGS = [
    [(re.compile(pattern), sound) for pattern, sound in pairs]
    for pairs in (
        # Central European: German, Dutch, Polish, and languages with háčeks
        (
            (r"schtsch|sjtsj|szcz", "SC"),
            (r"tsch|tsj|cz|tS", "C"),
            (r"dsch|dzh|dZ", "J"),
            (r"sch|sj|sz", "S"),
            (r"zj|rz", "Z"),
            (r"ch", "kh"),
            (r"c(?!k)", "ts"),
            (r"oe", "u"),
            (r"(?<!d)j", "y"),
            (r"w", "v"),
        ),
        # French
        (
            (r"tch", "C"),
            (r"ch", "S"),
            (r"dj", "J"),
            (r"j", "Z"),
            (r"iou", "yu"),
            (r"ou", "u"),
            (r"gu(?=[ei])", "g"),
            (r"(?<=[oe])ff$", "v"),
            (r"(?<=[^aeiou])ine$", "in"),
        ),
        # Turkish
        ((r"j", "Z"), (r"c", "J")),
    )
]
_PLAIN = [
    (re.compile(pattern), sound)
    for pattern, sound in (
        (r"x", "ks"),
        (r"ph", "f"),
        (r"ck|c(?![eiyh])", "k"),
        (r"(.)\1", r"\1"),
        (r"^[iy]e(?=[^aeiou])", "e"),
        (r"iy(?=a)", "i"),
        (r"(?<=..)[iy]+$", "i"),
    )
]
# Letters of other scripts, which no language of Latin letters spells in its own way.
_OTHER_SCRIPT = re.compile(r"[^\x00-\u024f\u1e00-\u1eff]")


@lru_cache(maxsize=100_000)
def readings(word: str) -> tuple[str, ...]:
    """Return the word as English spells it, for each language that it may be written in."""
    from rigour.text.translit import ascii_text

    written = word.lower()
    found = [_letters(ascii_text(written)).lower()]
    if _OTHER_SCRIPT.search(written):
        return tuple(found * (1 + len(_SPELLINGS)))
    marked = _letters(ascii_text(written.translate(_MARKED)))
    for spelling in _SPELLINGS:
        text = marked
        for pattern, sound in spelling:
            text = pattern.sub(sound, text)
        found.append(text.translate(_SOUNDS))
    return tuple(found)


@lru_cache(maxsize=100_000)
def plain_spelling(reading: str) -> str:
    """Return what readings have in common that English spells in several ways."""
    for pattern, sound in _PLAIN:
        reading = pattern.sub(sound, reading)
    return reading


@lru_cache(maxsize=100_000)
def plain_spellings(word: str) -> frozenset[str]:
    """Return the plain spelling of each reading of a word."""
    return frozenset(map(plain_spelling, readings(word)))


def _letters(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "", text)
