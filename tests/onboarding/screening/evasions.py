"""Names as somebody writes them who does not want to be found, made from entries of lists.

The words, letters and spellings of each family are in `evasions.json`.
"""

import json
import random
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from onboarding.screening.model import MODELS
from onboarding.screening.models import ListedType, ListEntry
from tests.onboarding.screening.resembling import (
    FROM_RUSSIAN,
    Query,
    given_and_family,
    in_cyrillic,
    plain,
)

WORDS: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
FROM_ARABIC = re.compile(r"SYRIA|IRAQ|LIBYA|Al-Qaida|YEMEN|SDGT", re.IGNORECASE)
RUSSIAN = {
    **dict(zip("абгдезиклмнопрстуфыэ", "abgdeziklmnoprstufye", strict=True)),
    "в": "v",
    "ь": "",
    "ъ": "",
}
COMMON = set(" ".join(MODELS.newest().common).split())
Maker = Callable[[ListEntry, random.Random], str | None]


def queries(number: int, seed: int) -> Iterator[Query]:
    """Return up to this number of queries of each family."""
    chance = random.Random(seed)
    entries = list(ListEntry.objects.current().prefetch_related("names").order_by("kind", "uid"))
    people = [one for one in entries if one.type == ListedType.PERSON]
    companies = [one for one in entries if one.type == ListedType.ORGANISATION]
    both = people + companies
    russians = [one for one in people if FROM_RUSSIAN.search(one.programme)]
    arabs = [one for one in people if FROM_ARABIC.search(one.programme)]
    families: list[tuple[str, list[ListEntry], Maker]] = [
        ("titles added", people, _with_titles),
        ("family names added", people, _with_family_names),
        ("company words added", companies, _with_company_words),
        ("short company name", companies, _shortened),
        ("spelled apart", both, _apart),
        ("spelled with stops", both, partial(_apart, by=".")),
        ("spelled with lines", both, partial(_apart, by="_")),
        ("spelled with commas", both, partial(_apart, by=",")),
        ("spelled together", both, _together),
        ("capitals together", both, partial(_together, capitals=True)),
        ("small capitals", both, _in_other_letters),
        ("wide letters", both, _in_wide_letters),
        ("circled letters", both, _in_circles),
        ("squared letters", both, partial(_in_other_letters, letters="squared")),
        ("letters of flags", both, partial(_in_other_letters, letters="flags")),
        ("signs for letters", both, _with_signs),
        ("look-alike letters", both, _with_look_alikes),
        ("Lisu letters", both, partial(_in_capitals_of, script="lisu")),
        ("Cherokee letters", both, partial(_in_capitals_of, script="cherokee")),
        ("initials touching", people, _with_initials_touching),
        ("Lithuanian endings", russians, partial(_with_endings, endings=("us", "as"))),
        ("Latvian endings", russians, partial(_with_endings, endings=("s", "s"))),
        ("word added and respelled", companies, _respelled_with_word),
        ("initials together", people, _with_initials_together),
        ("initials after", people, _with_initials_after),
        *(
            (f"{name} of Russian", russians, partial(_from_russian, language=name))
            for name in WORDS["cyrillic"]
        ),
        *(
            (
                f"{name} of Russian without patronymic",
                russians,
                partial(_from_russian, language=name, is_short=True),
            )
            for name in WORDS["cyrillic"]
        ),
        *(
            (f"{name} of Arabic", arabs, partial(_from_arabic, language=name))
            for name in WORDS["arabic"]
        ),
    ]
    for family, pool, make in families:
        made = ((entry, make(entry, chance)) for entry in chance.sample(pool, len(pool)))
        some = ((entry, name) for entry, name in made if name)
        for (entry, name), _ in zip(some, range(number), strict=False):
            yield Query(family, name, entry)


def _titled(entry: ListEntry) -> str:
    return plain(entry.name).title()


def _with_titles(entry: ListEntry, chance: random.Random) -> str | None:
    if " " not in _titled(entry):
        return None
    return " ".join(
        (
            chance.choice(WORDS["titles_before"]),
            _titled(entry),
            chance.choice(WORDS["titles_after"]),
        )
    )


def _with_family_names(entry: ListEntry, chance: random.Random) -> str | None:
    if " " not in _titled(entry):
        return None
    return " ".join([_titled(entry), *chance.sample(WORDS["family_names"], 2)])


def _with_company_words(entry: ListEntry, chance: random.Random) -> str | None:
    return f"{_titled(entry)} {chance.choice(WORDS['company_words'])}"


def _shortened(entry: ListEntry, chance: random.Random) -> str | None:
    """Return the first two words of a company's longer name, if they are not both common."""
    words = re.findall(r"[\w&-]+", _titled(entry))
    first = {word.lower() for word in words[:2]}
    is_telling = min(map(len, first)) >= 5 and not first <= COMMON
    return " ".join(words[:2]) if len(words) >= 4 and is_telling else None


def _apart(entry: ListEntry, chance: random.Random, by: str = " ") -> str | None:
    words = re.findall(r"\w+", _titled(entry))
    return (
        (" " if by == " " else "  ").join(by.join(word) for word in words)
        if len("".join(words)) >= 6
        else None
    )


def _together(entry: ListEntry, chance: random.Random, *, capitals: bool = False) -> str | None:
    words = re.findall(r"\w+", _titled(entry))
    joined = "".join(words) if capitals else "".join(words).lower()
    return joined if len(words) > 1 and len(joined) >= 8 else None


def _in_other_letters(
    entry: ListEntry, chance: random.Random, letters: str = "small_capitals"
) -> str | None:
    plain_letters = range(ord("a"), ord("z") + 1)
    return _titled(entry).lower().translate(dict(zip(plain_letters, WORDS[letters], strict=True)))


def _in_capitals_of(entry: ListEntry, chance: random.Random, script: str) -> str | None:
    return "".join(WORDS[script].get(c.lower(), c) for c in _titled(entry).upper())


def _with_signs(entry: ListEntry, chance: random.Random) -> str | None:
    """Return the name with a sign for one letter inside each longer word."""
    words = []
    for word in _titled(entry).split():
        places = [at for at, c in enumerate(word) if at and c in WORDS["signs"]]
        at = chance.choice(places) if places and len(word) > 3 and word.isalpha() else len(word)
        words.append(word[:at] + WORDS["signs"].get(word[at : at + 1], "") + word[at + 1 :])
    return None if words == _titled(entry).split() else " ".join(words)


def _in_wide_letters(entry: ListEntry, chance: random.Random) -> str | None:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in _titled(entry))


def _in_circles(entry: ListEntry, chance: random.Random) -> str | None:
    circled = (
        chr(ord(c) - ord("a") + 0x24D0) if "a" <= c <= "z" else c for c in _titled(entry).lower()
    )
    return "".join(circled)


def _with_look_alikes(entry: ListEntry, chance: random.Random) -> str | None:
    return "".join(WORDS["look_alikes"].get(c, c) for c in _titled(entry))


def _initials(entry: ListEntry) -> tuple[str, str] | None:
    given, family = given_and_family(entry)
    is_usual = 2 <= len(given) <= 3 and min(map(len, given)) > 1
    return ("".join(name[0] for name in given).upper(), family.title()) if is_usual else None


def _with_initials_together(entry: ListEntry, chance: random.Random) -> str | None:
    found = _initials(entry)
    return found and f"{'.'.join(found[0])}. {found[1]}"


def _with_initials_after(entry: ListEntry, chance: random.Random) -> str | None:
    found = _initials(entry)
    return found and f"{found[1]} {found[0]}"


def _with_initials_touching(entry: ListEntry, chance: random.Random) -> str | None:
    found = _initials(entry)
    return found and f"{'.'.join(found[0])}.{found[1]}"


def _from_russian(
    entry: ListEntry, chance: random.Random, *, language: str, is_short: bool = False
) -> str | None:
    words = plain(entry.name).split()
    if is_short:
        if len(words) != 3 or not words[1].endswith(("vich", "vna")):
            return None
        words = [words[0], words[2]]
    written = in_cyrillic(" ".join(words)).lower()
    return _respelled(written, RUSSIAN | WORDS["cyrillic"][language])


def _with_endings(
    entry: ListEntry, chance: random.Random, *, endings: tuple[str, str]
) -> str | None:
    """Return given name and family name of a man, with the endings of a language."""
    words = _titled(entry).split()
    if len(words) < 2 or not words[0].isalpha() or not words[-1].endswith(("ov", "ev", "in")):
        return None
    given = words[0].removesuffix("y").removesuffix("i")
    return f"{given}{endings[0]} {words[-1]}{endings[1]}" if len(given) > 3 else None


def _respelled_with_word(entry: ListEntry, chance: random.Random) -> str | None:
    """Return a company's one long word in a German spelling, with a word of another language."""
    words = re.findall(r"\w+", _titled(entry).lower())
    if len(words[0]) < 9 or len(words) > 2 or not FROM_RUSSIAN.search(entry.programme):
        return None
    respelled = _respelled(in_cyrillic(words[0]).lower(), RUSSIAN | WORDS["cyrillic"]["German"])
    return f"{respelled} {chance.choice(WORDS['foreign_words'])}"


def _from_arabic(entry: ListEntry, chance: random.Random, *, language: str) -> str | None:
    name = plain(entry.name)
    return _respelled(name.lower(), WORDS["arabic"][language]) if " " in name else None


def _respelled(name: str, spelling: dict[str, str]) -> str:
    longest = "|".join(sorted(map(re.escape, spelling), key=len, reverse=True))
    return re.sub(longest, lambda found: spelling[found[0]], name).title()
