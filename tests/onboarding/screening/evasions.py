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
        ("spelled together", both, _together),
        ("capitals together", both, partial(_together, capitals=True)),
        ("small capitals", both, _in_small_capitals),
        ("wide letters", both, _in_wide_letters),
        ("circled letters", both, _in_circles),
        ("look-alike letters", both, _with_look_alikes),
        ("initials together", people, _with_initials_together),
        ("initials after", people, _with_initials_after),
        *(
            (f"{name} of Russian", russians, partial(_from_russian, language=name))
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


def _in_small_capitals(entry: ListEntry, chance: random.Random) -> str | None:
    return (
        _titled(entry)
        .lower()
        .translate(dict(zip(range(ord("a"), ord("z") + 1), WORDS["small_capitals"], strict=True)))
    )


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


def _from_russian(entry: ListEntry, chance: random.Random, *, language: str) -> str | None:
    return _respelled(in_cyrillic(plain(entry.name)).lower(), RUSSIAN | WORDS["cyrillic"][language])


def _from_arabic(entry: ListEntry, chance: random.Random, *, language: str) -> str | None:
    name = plain(entry.name)
    return _respelled(name.lower(), WORDS["arabic"][language]) if " " in name else None


def _respelled(name: str, spelling: dict[str, str]) -> str:
    longest = "|".join(sorted(map(re.escape, spelling), key=len, reverse=True))
    return re.sub(longest, lambda found: spelling[found[0]], name).title()
