"""The index of listed names: keys that names share if they may be the same.

Words that sound alike have a key in common, in any script: Qadhafi, Gaddafi and Каддафи do. A word
with a typing mistake shares the keys that leave out one sound. Uses only the light functions of
rigour, so that any process may call this: they load no table of personal names.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

from onboarding.screening.letters import folded, spellings, with_initials_apart
from onboarding.screening.spelling import plain_spelling, readings

# Increase this when `normal_form` or `name_keys` changes. Names with an older number are indexed
# again, and their list is not usable until then.
KEYS_VERSION = 6
# Several spellings of one sound, replaced in this order.
_SOUNDS = [
    (re.compile(pattern), sound)
    for pattern, sound in (
        (r"c(?=[eiy])", "s"),
        (r"^abd[aeou]l$", "abd"),
        (r"dzh|dj", "j"),
        (r"sch|tch|sh|zh|ch|ts|tz", "s"),
        (r"kh", "h"),
        (r"gh", "k"),
        (r"ph", "f"),
        (r"th", "t"),
        (r"dh", "d"),
        (r"x", "ks"),
        (r"(.)\1+", r"\1"),
    )
]
_SAME_SOUND = str.maketrans("cgqzjvpt", "kkkssfbd")
_SILENT = str.maketrans("", "", "aeiouyw")
# Letters that most languages but Arabic pronounce as s or z, and a silent ending.
_ARABIC_LETTERS = str.maketrans({"ى": "ي", "ث": "س", "ذ": "ز", "ض": "ز", "ظ": "ز", "ة": ""})
_ARABIC_ARTICLE = re.compile(r"(?<!\w)و?ال(?=\w{2})")
# عبدالغني is عبد الغني, written as one word.
_ABD = re.compile(r"(?<!\w)عبدال(?=\w{2})")
# Articles of Arabic names, as different languages write them before different sounds.
ARTICLES = ("al", "el", "ul", "ad", "an", "ar", "as", "ash", "at", "az")
# Other spellings are too common as names of their own.
_DROPPED = ARTICLES[:2]
# Words with fewer sounds are too common to be found despite a typing mistake.
_LEAST_SOUNDS = 3
_INITIAL = "^"
# A word of this many letters may be several.
_LEAST_JOINED = 7
# Words that are in so many company names that they identify none.
COMMON = frozenset(
    [
        *("and", "bank", "co", "company", "corp", "corporation", "de", "for", "general", "group"),
        *("inc", "international", "la", "limited", "llc", "ltd", "ltda", "of", "sa", "shipping"),
        *("the", "trading", "y"),
    ]
)


def normal_form(name: str) -> str:
    """Return the name in lower case, without accents, punctuation and repeated spaces."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(one for one in plain if not unicodedata.combining(one))
    return " ".join(re.findall(r"\w+", letters))


def with_spaced_articles(text: str) -> str:
    """Return the text with a space before an article that Arabic script joins to Abd."""
    return _ABD.sub("عبد ال", text)


def name_keys(name: str) -> list[str]:
    """Return the keys of this name, each once. Those of `is_weak` rank names, and find none."""
    words = _words(name)
    telling = {word for word, *_ in words} - COMMON or {word for word, *_ in words}
    keys = {f"{_INITIAL}{word[0]}" for word, *_ in words}
    keys |= {f"{_INITIAL}{word}" for word, *_ in words if word not in telling}
    for spelled in set(zip(*words, strict=True)):
        sounds = [_sound(word) for word in spelled]
        keys |= {first + second for first, second in pairwise(sounds)}
        for (word, *_), one, sound in zip(words, spelled, sounds, strict=True):
            if word in telling:
                keys |= _word_keys(one, sound)
    return sorted(key for key in keys if len(key) > 1)


def asked_keys(name: str) -> list[str]:
    """Return the keys of a name that is looked for, in each spelling that may be meant."""
    keys = set().union(*map(_asked_keys, spellings(name)))
    keys |= set(filter(is_weak, name_keys(with_initials_apart(name))))
    return sorted(keys)


def _asked_keys(name: str) -> set[str]:
    """Return the keys of one spelling, also if it is one word made of several."""
    keys = set(name_keys(name))
    words = [word for word, *_ in _words(name) if word not in COMMON]
    if len(words) == 1 and len(words[0]) >= _LEAST_JOINED:
        (word,) = words
        keys.add(_sound(re.sub(r"^[ae]l", "", word)))
        for at in range(_LEAST_SOUNDS, len(word) - _LEAST_SOUNDS + 1):
            keys |= {key for half in (word[:at], word[at:]) if len(key := _sound(half)) > 1}
    return keys


def is_weak(key: str) -> bool:
    """Tell whether too many names have this key to be found by it."""
    return key.startswith(_INITIAL)


def sounds(text: str) -> list[str]:
    """Return the sounds of each word that has any."""
    return [sound for word, *_ in _words(text) if (sound := _sound(word))]


def _word_keys(word: str, sound: str) -> set[str]:
    # Words with a single sound are found by their letters.
    keys = {sound if len(sound) > 1 else plain_spelling(word)}
    if len(sound) >= _LEAST_SOUNDS:
        keys |= {f"~{sound[:i]}{sound[i + 1 :]}" for i in range(len(sound))} | {f"~{sound}"}
    return keys


@lru_cache(maxsize=100_000)
def _words(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the readings of each word, without articles that many spellings leave out."""
    # Large, and most processes compare no names.
    from rigour.names import tokenize_name
    from rigour.text.translit import ascii_text

    spaced = with_spaced_articles(folded(text)).translate(_ARABIC_LETTERS)
    found: list[tuple[str, ...]] = []
    for token in tokenize_name(_ARABIC_ARTICLE.sub("ال ", spaced)):
        latin = re.findall(r"[a-z0-9]+", ascii_text(token).lower())
        found += map(readings, [token] if len(latin) == 1 else latin)
    return tuple(word for word in found if word[0] not in _DROPPED)


@lru_cache(maxsize=100_000)
def _sound(word: str) -> str:
    for pattern, sound in _SOUNDS:
        word = pattern.sub(sound, word)
    return re.sub(r"(.)\1+", r"\1", word.translate(_SAME_SOUND)).translate(_SILENT)
