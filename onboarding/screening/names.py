"""The index of listed names: keys that names share if they may be the same.

Words that sound alike have a key in common, in any script: Qadhafi, Gaddafi and Каддафи do. A word
with a typing mistake shares the keys that leave out one sound. Uses only the light functions of
rigour, so that any process may call this: they load no table of personal names.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

# Increase this when `normal_form` or `name_keys` changes. Names with an older number are indexed
# again, and their list is not usable until then.
KEYS_VERSION = 4
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
_ARABIC_LETTERS = str.maketrans({"ث": "س", "ذ": "ز", "ض": "ز", "ظ": "ز", "ة": ""})
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
    sounds = [_sound(word) for word in words]
    # Words with a single sound are found by their letters.
    keys = {sound if len(sound) > 1 else word for sound, word in zip(sounds, words, strict=True)}
    keys |= {first + second for first, second in pairwise(sounds)}
    for sound in sounds:
        if len(sound) >= _LEAST_SOUNDS:
            keys |= {f"~{sound[:i]}{sound[i + 1 :]}" for i in range(len(sound))} | {f"~{sound}"}
    keys = {key for key in keys if len(key) > 1}
    return sorted(keys | {f"{_INITIAL}{word[0]}" for word in words})


def is_weak(key: str) -> bool:
    """Tell whether too many names have this key to be found by it."""
    return key.startswith(_INITIAL)


def sounds(text: str) -> list[str]:
    """Return the sounds of each word that has any."""
    return [sound for sound in map(_sound, _words(text)) if sound]


@lru_cache(maxsize=100_000)
def _words(text: str) -> tuple[str, ...]:
    """Return the words in Latin letters, without articles that many spellings leave out."""
    # Large, and most processes compare no names.
    from rigour.names import tokenize_name
    from rigour.text.translit import ascii_text

    spaced = _ARABIC_ARTICLE.sub("ال ", with_spaced_articles(text).translate(_ARABIC_LETTERS))
    latin = ascii_text(" ".join(tokenize_name(spaced))).lower()
    return tuple(word for word in re.findall(r"[a-z0-9]+", latin) if word not in _DROPPED)


@lru_cache(maxsize=100_000)
def _sound(word: str) -> str:
    for pattern, sound in _SOUNDS:
        word = pattern.sub(sound, word)
    return re.sub(r"(.)\1+", r"\1", word.translate(_SAME_SOUND)).translate(_SILENT)
