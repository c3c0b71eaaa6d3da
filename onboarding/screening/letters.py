"""Letters of names: forms of letters, words spelled apart or together, spellings of languages.

A name in unusual letters, as in `ᴠɪᴋᴛᴏʀ` or `V i k t o r`, is read as it looks. A word has one
reading for each group of languages that spells it in its own way: Petruschkow is also Petrushkov.
"""

import re
import unicodedata
from functools import lru_cache

_SMALL_CAPITAL = "LATIN LETTER SMALL CAPITAL "
# Letters of other scripts in a word with Latin letters are read as the Latin ones they look like.
_LOOK_ALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухѵԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧονρ",
    "ABESIJKMHOPCTYXaesijopcyxvdqwABEZHIKMNOPTYXovp",
)
_LATIN = re.compile(r"[A-Za-z]")
# Digits that stand for letters inside a word, as in V1ktor B0ut.
_DIGITS = re.compile(r"(?<=[^\W\d_])[013457]+(?=[^\W\d_])")
_LETTERS_OF_DIGITS = str.maketrans("013457", "oieast")
_SINGLE_LETTERS = re.compile(r"(?<!\w)[^\W\d_](?:(?:[.·_'-] ?| )[^\W\d_](?!\w)){2,}")
_CAPITAL_INSIDE = re.compile(r"(?<=[a-zà-öø-ÿ])(?=[A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ])")
_DOTTED = re.compile(r"(?:[^\W\d_]\.){2,3}")
# Letters that sound otherwise without their mark.
_MARKED = str.maketrans(
    {"ç": "ch", "ş": "sh", "ș": "sh", "ż": "zh", "ž": "zh", "š": "sh", "č": "ch", "ć": "ch"}
    | {"ś": "sh", "ź": "zh", "đ": "dj", "ğ": "g", "ı": "i", "ł": "l"}
)
# How groups of languages spell sounds, in this order, beside English.
_SPELLINGS = [
    [(re.compile(pattern), sound) for pattern, sound in pairs]
    for pairs in (
        # Central European: German, Dutch, Polish
        (
            (r"schtsch|sjtsj|szcz", "C"),
            (r"tsch|tsj|cz", "C"),
            (r"dsch|dzh", "J"),
            (r"sch|sj|sz", "S"),
            (r"zj|rz", "Z"),
            (r"ch", "kh"),
            (r"c(?!k)", "ts"),
            (r"oe", "u"),
            (r"(?<!d)j", "y"),
            (r"w", "v"),
            (r"[CSZ]", lambda found: f"{found[0].lower()}h"),
            (r"J", "j"),
        ),
        # Turkish
        ((r"c(?!h)", "j"),),
    )
]


@lru_cache(maxsize=100_000)
def folded(name: str) -> str:
    """Return the name in ordinary letters, with words that are spelled apart as words."""
    letters = unicodedata.normalize("NFKC", name)
    shown = "".join(_ordinary(one) for one in letters if unicodedata.category(one) != "Cf")
    plain = re.sub(r"\w+", lambda found: _in_one_script(found[0]), shown)
    joined = _SINGLE_LETTERS.sub(lambda found: re.sub(r"[\W_]+", "", found[0]), plain)
    return " ".join(_CAPITAL_INSIDE.sub(" ", joined).split())


def with_initials_apart(name: str) -> str:
    """Return the name with a space after each initial, if some are written as one word."""
    words = name.split()
    # In a name of one case, only a short word beside a single other one may be initials.
    most = 3 if name not in (name.upper(), name.lower()) else 2 if len(words) == 2 else 0
    return " ".join(
        " ".join(word.replace(".", ""))
        if _DOTTED.fullmatch(word) or (1 < len(word) <= most and (most == 2 or word.isupper()))
        else word
        for word in words
    )


@lru_cache(maxsize=100_000)
def readings(word: str) -> tuple[str, ...]:
    """Return the word as English spells it, for each language that it may be written in."""
    from rigour.text.translit import ascii_text

    written = word.lower()
    found = [_plain(ascii_text(written))]
    for spelling in _SPELLINGS:
        text = _plain(ascii_text(written.translate(_MARKED)))
        for pattern, sound in spelling:
            text = pattern.sub(sound, text)
        found.append(text)
    return tuple(found)


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _ordinary(letter: str) -> str:
    name = unicodedata.name(letter, "")
    is_small_capital = name.startswith(_SMALL_CAPITAL) and len(name) == len(_SMALL_CAPITAL) + 1
    return name[-1].lower() if is_small_capital else letter


def _in_one_script(word: str) -> str:
    latin = word.translate(_LOOK_ALIKES) if _LATIN.search(word) else word
    return _DIGITS.sub(lambda found: found[0].translate(_LETTERS_OF_DIGITS), latin)
