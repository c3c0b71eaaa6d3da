"""Names that resemble listed ones, made from entries of the real lists by a fixed seed."""

import random
import re
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from onboarding.screening.models import ListedType, ListEntry, ListName

# A withheld alias is another spelling of a name, not a different one, from this similarity up.
ANOTHER_SPELLING = 0.8
LEGAL_FORMS = [
    ("ltd", "limited"),
    ("limited", "ltd"),
    ("inc", "incorporated"),
    ("llc", "limited liability company"),
    ("co", "company"),
    ("corp", "corporation"),
    ("corporation", "corp"),
    ("ltda", "limitada"),
    ("s a", "sociedad anonima"),
    ("jsc", "joint stock company"),
    ("gmbh", "gesellschaft mit beschränkter haftung"),
]
# From Latin letters, in this order, as Russian passports are written.
CYRILLIC = [
    *(("shch", "щ"), ("zh", "ж"), ("kh", "х"), ("ts", "ц"), ("ch", "ч"), ("sh", "ш"), ("yu", "ю")),
    *(("ya", "я"), ("yo", "ё"), ("ye", "е"), ("j", "дж"), ("x", "кс")),
    *zip("abvgdeziklmnoprstufhwqcy", "абвгдезиклмнопрстуфхвккы", strict=True),
]
FROM_RUSSIAN = re.compile(r"RUSSIA|UKRAINE|BELARUS")
ARABIC = re.compile(r"[\u0600-\u06ff]")


@dataclass(frozen=True)
class Query:
    """A name to ask for, the entry it must find, and the row of the name to withhold."""

    kind: str
    name: str
    entry: ListEntry
    withheld: int = 0


Made = str | tuple[str, int] | None


def queries(number: int, seed: int) -> Iterator[Query]:
    """Return up to this number of queries of each kind."""
    chance = random.Random(seed)
    entries = list(ListEntry.objects.current().prefetch_related("names").order_by("kind", "uid"))
    people = [one for one in entries if one.type == ListedType.PERSON]
    companies = [one for one in entries if one.type == ListedType.ORGANISATION]
    both = people + companies
    russians = [one for one in people if FROM_RUSSIAN.search(one.programme)]
    makers: list[tuple[str, list[ListEntry], Callable[[ListEntry, random.Random], Made]]] = [
        ("reordered", both, _reordered),
        ("middle name dropped", people, _without_middle_name),
        ("initials", people, _with_initials),
        ("alias withheld", both, _withheld_alias),
        ("one mistake", both, lambda entry, by: _mistaken(plain(entry.name), by)),
        ("two mistakes", both, _twice_mistaken),
        ("legal form", companies, _with_another_form),
        ("Cyrillic", russians, lambda entry, by: in_cyrillic(plain(entry.name))),
        ("Arabic", people, _in_arabic),
    ]
    for kind, pool, make in makers:
        made = ((entry, make(entry, chance)) for entry in chance.sample(pool, len(pool)))
        some = ((entry, name) for entry, name in made if name)
        for (entry, name), _ in zip(some, range(number), strict=False):
            name, withheld = name if isinstance(name, tuple) else (name, 0)
            yield Query(kind, name, entry, withheld)


def plain(name: str) -> str:
    """Return a name as people write it: `Jane Doe` for `DOE, Jane`."""
    family, comma, given = name.partition(", ")
    return f"{given} {family}" if comma and "," not in given else name


def words_of(name: str) -> str:
    """Return the words of a name in alphabetical order."""
    return " ".join(sorted(re.findall(r"\w+", name.lower())))


def _reordered(entry: ListEntry, chance: random.Random) -> Made:
    words = plain(entry.name).split()
    if len(set(words)) < 2:
        return None
    while (shuffled := chance.sample(words, len(words))) == words:
        pass
    return " ".join(shuffled)


def _without_middle_name(entry: ListEntry, chance: random.Random) -> Made:
    words = plain(entry.name).split()
    if len(words) < 3:
        return None
    del words[chance.randrange(1, len(words) - 1)]
    return " ".join(words)


def _with_initials(entry: ListEntry, chance: random.Random) -> Made:
    given, family = given_and_family(entry)
    return " ".join([*(f"{name[0]}." for name in given), family]) if given else None


def given_and_family(entry: ListEntry) -> tuple[list[str], str]:
    """Return the given names, and the last word if it tells more than they do."""
    *given, family = re.findall(r"[\w-]+", plain(entry.name)) or [""]
    return (given, family) if len(family) >= 5 else ([], "")


def _withheld_alias(entry: ListEntry, chance: random.Random) -> Made:
    names = list(entry.names.all())
    aliases = [one for one in names if one.name != entry.name and _is_spelling(one, names)]
    if not aliases:
        return None
    alias = chance.choice(aliases)
    return plain(alias.name), alias.pk


def _is_spelling(alias: ListName, names: list[ListName]) -> bool:
    mine = words_of(alias.name)
    others = [words_of(one.name) for one in names if one.pk != alias.pk]
    similar = [SequenceMatcher(None, mine, other).ratio() for other in others]
    return mine not in others and max(similar, default=0.0) >= ANOTHER_SPELLING


def _mistaken(name: str, chance: random.Random) -> str | None:
    words = name.split()
    long = [place for place, word in enumerate(words) if len(re.sub(r"\W", "", word)) >= 4]
    if not long:
        return None
    place = chance.choice(long)
    word, letter = words[place], chance.choice(string.ascii_lowercase)
    at = chance.randrange(1, len(word) - 1)
    words[place] = chance.choice(
        [
            word[:at] + word[at + 1 :],
            word[:at] + letter + word[at:],
            word[:at] + letter + word[at + 1 :],
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        ]
    )
    return " ".join(words)


def _twice_mistaken(entry: ListEntry, chance: random.Random) -> Made:
    once = _mistaken(plain(entry.name), chance)
    return once and _mistaken(once, chance)


def _with_another_form(entry: ListEntry, chance: random.Random) -> Made:
    name = re.sub(r"[.,]", "", entry.name.lower())
    for form, other in LEGAL_FORMS:
        if name.endswith(f" {form}"):
            return name.removesuffix(form) + other
    return None


def in_cyrillic(name: str) -> str:
    name = re.sub(r"y\b", "й", name.lower())
    for latin, cyrillic in CYRILLIC:
        name = name.replace(latin, cyrillic)
    return name.title()


def _in_arabic(entry: ListEntry, chance: random.Random) -> Made:
    written = [one for one in entry.names.all() if ARABIC.search(one.name)]
    return (written[0].name, written[0].pk) if written else None
