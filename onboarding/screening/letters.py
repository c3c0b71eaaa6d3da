"""Letters of names: forms of letters, words spelled apart or together, endings of languages.

A name in unusual letters, as in `ᴠɪᴋᴛᴏʀ`, `🆅🅸🅺🆃🅾🆁` or `V_i_k_t_o_r`, is read as it looks.
"""

import re
import unicodedata
from functools import cache, lru_cache

# A letter that Unicode names as a form of a Latin one: small capital, squared, turned, a flag's.
_FORM = re.compile(
    r"\b(?:LATIN|REGIONAL INDICATOR SYMBOL)\b.*\bLETTER (?:[\w-]+ )*?([A-Z])(?: WITH .+)?$"
)
_SPECIAL = {"ĸ": "k", "ɑ": "a", "Ɑ": "A", "ɩ": "i", "ʊ": "u", "ɛ": "e"}
_UNSEEN = ("COMBINING ", "VARIATION SELECTOR")
_LATIN = re.compile(r"[A-Za-z]")
# Scripts that are read by their sounds: one of their letters that looks like none is no Latin one.
_READ = ("ARABIC", "ARMENIAN", "CYRILLIC", "GEORGIAN", "GREEK", "HANGUL", "HEBREW")
# Digits that stand for letters inside a word, as in V1ktor B0ut.
_DIGITS = re.compile(r"(?<=[^\W\d_])[013457]+(?=[^\W\d_])")
# Digits and signs that look like letters.
_SIGNS = {
    **dict(zip("013456789", "oieasgtbg", strict=True)),
    **dict(zip("!|@$+", "iiast", strict=True)),
}
_SIGNS |= {"€": "e", "£": "l", "¥": "y", "¢": "c", "○": "o", "●": "o", "⊙": "o", "◯": "o"}
_LETTERS_OF_DIGITS = str.maketrans({key: value for key, value in _SIGNS.items() if key in "013457"})
_LEAST_SEEN = 3
_LETTER = r"[^\W\d_]"
# Spaces, punctuation and pictures, but no marks of letters, and no signs that stand for a word.
_BETWEEN = (
    "[!-%'-*,-/:-@[-`{-~\\s\xa1-\xbf\u2000-\u206f\u2190-\u2bff\u3000-\u303f\U0001f000-\U0001faff]"
)
_SINGLE_LETTERS = re.compile(
    rf"(?<!{_LETTER}){_LETTER}(?:{_BETWEEN}{{1,4}}{_LETTER}(?!{_LETTER})){{2,}}"
)
_SEPARATORS = re.compile(rf"({_BETWEEN}+)")
# Initials that touch the next word, as in I.I.Sechin, and commas and lines between words.
_TOUCHING = re.compile(
    rf"(?<!{_LETTER})({_LETTER}(?:[._-]{_LETTER})*)[._](?={_LETTER}{{2}})"
    rf"|(?<!{_LETTER})({_LETTER}(?:-{_LETTER})+)-(?={_LETTER}{{2}})"
)
_COMMA = re.compile(rf"(?<={_LETTER}{{2}}),(?={_LETTER})")
_CAPITAL_INSIDE = re.compile(r"(?<=[a-zà-öø-ÿ])(?=[A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ])")
_DOTTED = re.compile(r"(?:[^\W\d_]\.){2,3}")
# What Lithuanian and Latvian add to each word of a foreign name.
_ENDING = re.compile(r"(?<=[^\W\d_aeiou])(?:(?:ai)?t?(?:as|is|us|ys)|s)$")
_LONG_ENDING = re.compile(r"(?:aitis|ait[eė]|yt[eė]|ut[eė]|ien[eė])$")
_LEAST_STEM = 3
# Words of so few letters, and so many of them, may be pieces of others.
_LONGEST_PIECE, _LEAST_PIECES = 3, 4


@lru_cache(maxsize=100_000)
def folded(name: str) -> str:
    """Return the name in ordinary letters, with words that are spelled apart as words."""
    return _joined(spaced(name))


@lru_cache(maxsize=100_000)
def spaced(name: str) -> str:
    """Return the name in ordinary letters, with spaces instead of other marks between words."""
    if not name.isascii():
        shown = "".join(map(_ordinary, unicodedata.normalize("NFC", name)))
        name = unicodedata.normalize("NFKC", shown)
    plain = re.sub(r"[^\W_]+", lambda found: _in_one_script(found[0]), name)
    return _TOUCHING.sub(_with_stops, _COMMA.sub(", ", plain))


def spellings(name: str) -> list[str]:
    """Return the name as it may be meant: as written, as it looks, and without Baltic endings.

    Short words alone are also one word that is spelled apart.
    """
    found = [folded(name)]
    if (seen := _as_seen(name)) != name:
        found.append(folded(seen))
    words = found[0].split()
    is_apart = all(one.isalpha() and len(one) <= _LONGEST_PIECE for one in words)
    if is_apart and len(words) >= _LEAST_PIECES:
        found.append("".join(words))
    found += [stem for one in found if (stem := _without_endings(one)) != one]
    return list(dict.fromkeys(found))


def with_initials_apart(name: str) -> str:
    """Return the name with a space after each initial, if some are written as one word."""
    words = spaced(name).split()
    # In a name of one case, only a short word beside a single other one may be initials.
    most = 3 if name not in (name.upper(), name.lower()) else 2 if len(words) == 2 else 0
    return " ".join(
        " ".join(word.replace(".", ""))
        if _DOTTED.fullmatch(word) or (1 < len(word) <= most and (most == 2 or word.isupper()))
        else word
        for word in words
    )


def _with_stops(found: re.Match[str]) -> str:
    return re.sub(r"[_-]", ".", found[1] or found[2]) + ". "


def _joined(name: str) -> str:
    joined = _SINGLE_LETTERS.sub(lambda found: _as_words(found[0]), name).replace("_", " ")
    return " ".join(_CAPITAL_INSIDE.sub(" ", joined).split())


def _as_words(letters: str) -> str:
    """Return the words that letters spell, parted by another mark than the letters are."""
    parts = _SEPARATORS.split(letters)
    usual = max(parts[1::2], key=parts.count)
    return "".join(
        part
        if place % 2 == 0
        else " " * (part != usual and (len(part) > len(usual) or part == " "))
        for place, part in enumerate(parts)
    )


@cache
def _ordinary(letter: str) -> str:
    """Return the Latin letter of which this one is a form, or the letter."""
    from rigour.text.translit import ascii_text

    name = unicodedata.name(letter, "")
    if unicodedata.category(letter) == "Cf" or name.startswith(_UNSEEN):
        return ""
    if letter.isascii() or ("LATIN" not in name and "REGIONAL" not in name):
        return letter
    if "SMALL CAPITAL" not in name and letter not in _SPECIAL and ascii_text(letter).isalpha():
        return letter
    if not (found := _FORM.search(name)):
        return _SPECIAL.get(letter, letter)
    is_small = re.search(r"SMALL|LATIN LETTER", name)
    return found[1].lower() if is_small else found[1]


@cache
def _look_alike(letter: str) -> str:
    """Return the Latin letter that this one looks like (Unicode TR39), or ""."""
    import icu

    like = unicodedata.normalize("NFD", icu.SpoofChecker().getSkeleton(0, letter))
    like = "".join(map(_ordinary, like))
    if like == "l" and not letter.islower():
        return "I"
    return like if len(like) == 1 and _LATIN.match(like) else ""


def _in_one_script(word: str) -> str:
    if word.isascii():
        latin = word
    elif _LATIN.search(word):
        latin = "".join(one if _is_latin(one) else _look_alike(one) or one for one in word)
    else:
        return word
    return _DIGITS.sub(lambda found: found[0].translate(_LETTERS_OF_DIGITS), latin)


@cache
def _is_latin(letter: str) -> bool:
    return letter.isascii() or unicodedata.name(letter, "").startswith("LATIN")


@lru_cache(maxsize=10_000)
def _as_seen(name: str) -> str:
    """Return the name with each word that looks like a Latin one as that."""
    is_mixed = name not in (name.upper(), name.lower())
    return " ".join(_seen_word(word, is_mixed=is_mixed) for word in name.split())


def _seen_word(word: str, *, is_mixed: bool) -> str:
    if word.isascii() and word.isalpha():
        return _with_tall_letters(word) if is_mixed and not word.isupper() else word
    shown = [_SIGNS.get(one) or _seen_letter(one) for one in word]
    letters, signs = sum(map(str.isalpha, word)), sum(one in _SIGNS for one in word)
    unknown = shown.count(None)
    if letters < 2 or signs > letters or unknown * 3 > letters:
        return word
    if any(
        found is None and unicodedata.name(one, "").startswith(_READ)
        for one, found in zip(word, shown, strict=False)
    ):
        return word
    seen = "".join(filter(None, shown))
    return seen if len(seen) >= _LEAST_SEEN and not re.search(r"\d", seen) else word


def _seen_letter(letter: str) -> str | None:
    """Return the Latin letter that a letter looks like, other signs as they are, or None."""
    if _is_latin(letter) or not letter.isalpha():
        return letter
    return _look_alike(letter) or None


def _with_tall_letters(word: str) -> str:
    """Return the word with l and I as the other where they are out of place: lgor, VIadimir."""
    inner = re.sub(r"(?<=[a-z])I|(?<=[A-Za-z])I(?=[a-z])", "l", word)
    return re.sub(r"^l(?=[b-df-hj-np-tv-z])", "I", inner)


def _without_endings(name: str) -> str:
    words = name.split()
    is_long = any(map(_LONG_ENDING.search, words))
    if len(words) < 2 or not (is_long or all(word[-1:].lower() in "sa" for word in words)):
        return name
    endings = _LONG_ENDING if is_long else _ENDING
    return " ".join(
        stem if len(stem := endings.sub("", word)) >= _LEAST_STEM else word for word in words
    )
