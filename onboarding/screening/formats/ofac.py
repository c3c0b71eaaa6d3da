"""OFAC's Specially Designated Nationals as CSV: entries, other names and addresses.

The files are in Latin-1, have no header and write `-0-` for an empty field. Birth dates,
nationalities, documents and weak aliases are sentences in the remarks.
"""

import csv
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

from onboarding.screening.formats import parties
from onboarding.screening.formats.parties import ListedParty, UnusableList
from onboarding.screening.models import ListedType, NameKind

FILES = {"sdn.csv": 12, "alt.csv": 5, "add.csv": 6}
_URL = "https://sanctionssearch.ofac.treas.gov/Details.aspx?id="
_TYPES = {
    "individual": ListedType.PERSON,
    "": ListedType.ORGANISATION,
    "vessel": ListedType.VESSEL,
    "aircraft": ListedType.OTHER,
}
_END_OF_FILE = ["\x1a"]
_WEAK = re.compile(r"[afn]\.k\.a\. '([^']+)'")
_BORN = re.compile(r"DOB (?:circa )?((?:\d{1,2} )?(?:[A-Z][a-z]{2} )?\d{4})(?: to ([\w ]*\d{4}))?")
_COUNTRY = re.compile(r"^(?:alt\. )?(?:nationality|citizen|Flag) (.+)$")
_DOCUMENT = re.compile(
    r"^(?:alt\. )?(?P<kind>[A-Z][^;:]*?(?:Passport|No\.|Number|ID|IMO|SSN|#)"
    r"|Passport|SSN|Cedula No\.) (?P<value>(?=\S*\d)\S+)(?: \((?P<country>[^)]+)\))?"
)
_DATES = ("%d %b %Y", "%b %Y", "%Y")


def read(folder: Path) -> Iterator[ListedParty]:
    """Yield every entry with its other names and addresses."""
    others = _by_entry(_rows(folder, "alt.csv"))
    addresses = _by_entry(_rows(folder, "add.csv"))
    for row in _rows(folder, "sdn.csv"):
        yield _party(row, others.get(row[0], []), addresses.get(row[0], []))


def _rows(folder: Path, name: str) -> Iterator[list[str]]:
    with (folder / name).open(encoding="latin-1", newline="") as file:
        try:
            for row in csv.reader(parties.lines(file), strict=True):
                if row and row != _END_OF_FILE:
                    if len(row) != FILES[name]:
                        raise UnusableList(f"A line of {name} has {len(row)} fields.")
                    yield ["" if (text := parties.clean(one)) == "-0-" else text for one in row]
        except csv.Error as error:
            raise UnusableList(f"{name} is not complete: {error}.") from error


def _by_entry(rows: Iterable[list[str]]) -> dict[str, list[list[str]]]:
    found = defaultdict(list)
    for row in rows:
        found[row[0]].append(row)
    return dict(found)


def _party(row: list[str], others: list[list[str]], addresses: list[list[str]]) -> ListedParty:
    uid, name, kind, programme, title, call_sign, vessel_type, _, _, flag, owner, remarks = row
    if not uid.isdecimal() or kind not in _TYPES:
        raise UnusableList(f"An entry has the number “{uid}” and the type “{kind}”.")
    type_ = _TYPES[kind]
    sentences = [one.strip().rstrip(".") for one in remarks.split(";")]
    names = [
        (name, NameKind.PRIMARY),
        *((other[3], NameKind.ALIAS) for other in others),
        *((weak, NameKind.WEAK) for weak in _WEAK.findall(remarks)),
    ]
    if type_ is ListedType.PERSON:
        names = [(_first_name_first(one), kind) for one, kind in names]
    countries = [found[1] for one in sentences if (found := _COUNTRY.match(one))]
    details = {
        "title": title, "call_sign": call_sign, "vessel_type": vessel_type, "owner": owner,
        "addresses": parties.in_order(", ".join(filter(None, one[2:5])) for one in addresses),
        "remarks": remarks,
    }  # fmt: skip
    return ListedParty(
        uid=uid,
        type=type_,
        names=parties.named(names, uid),
        # Several are written as `SDGT] [SDT`.
        programme=programme.replace("] [", ", "),
        birth_dates=parties.in_order(_births(remarks)),
        countries=parties.codes([*countries, flag, *(one[4] for one in addresses)]),
        identifiers=parties.identified(_documents(sentences)),
        url=_URL + uid,
        details={key: value for key, value in details.items() if value},
    )


def _first_name_first(name: str) -> str:
    """Return `Mary Ann ROE` for `ROE, Mary Ann`."""
    last, _, first = name.partition(", ")
    return f"{first} {last}".strip()


def _births(remarks: str) -> Iterator[str]:
    for first, last in _BORN.findall(remarks):
        if last and first[-4:] != last[-4:]:
            yield from parties.years(first[-4:], last[-4:])
        else:
            yield first[-4:] if last else _iso(first)


def _iso(text: str) -> str:
    """Return `15 Jun 1961`, `Jun 1961` or `1961` as an ISO date that is as precise."""
    form = _DATES[2 - text.count(" ")]
    try:
        return datetime.strptime(text, form).date().isoformat()[: (10, 7, 4)[_DATES.index(form)]]  # noqa: DTZ007
    except ValueError:
        return text[-4:]


def _documents(sentences: Iterable[str]) -> Iterator[dict[str, str]]:
    for sentence in sentences:
        if found := _DOCUMENT.match(sentence):
            yield parties.identifier(found["kind"], found["value"], found["country"] or "")
