"""The UK sanctions list, as XML or as CSV with one line for each name and address."""

import csv
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from xml.etree.ElementTree import Element

from onboarding.screening.formats import parties
from onboarding.screening.formats.parties import ListedParty, UnusableList
from onboarding.screening.formats.xml_stream import elements, text, texts
from onboarding.screening.models import ListedType, NameKind

_TYPES = {
    "individual": ListedType.PERSON,
    "entity": ListedType.ORGANISATION,
    "ship": ListedType.VESSEL,
}
# Kinds of identifiers, by their elements in the XML and their columns in the CSV.
_IDENTIFIERS = {
    "Passport": ("PassportNumber", "Passport number"),
    "National identifier": ("NationalIdentifierNumber", "National Identifier number"),
    "Registration number": ("BusinessRegistrationNumber", "Business registration number (s)"),
    "IMO number": ("IMONumber", "IMO number"),
}
_COUNTRIES = (
    *(("Nationality", "Nationality(/ies)"), ("AddressCountry", "Address Country")),
    ("CurrentBelievedFlagOfShip", "Current believed flag of ship"),
)
_NAME_PARTS = (1, 2, 3, 4, 5, 6)
# The values of an element in the XML, or of a column in the CSV.
_Values = Callable[[str, str], list[str]]


def read(path: Path) -> Iterator[ListedParty]:
    """Yield every designation."""
    with path.open("rb") as file:
        is_xml = file.read(64).lstrip(b"\xef\xbb\xbf \r\n").startswith(b"<")
    yield from _from_xml(path) if is_xml else _from_csv(path)


def _from_xml(path: Path) -> Iterator[ListedParty]:
    for element in elements(path, "Designations", "Designation"):
        yield _party(partial(_xml_values, element), _xml_names(element))


def _xml_values(element: Element, tag: str, _column: str) -> list[str]:
    return texts(element, tag)


def _xml_names(element: Element) -> Iterator[tuple[str, NameKind]]:
    for one in element.iterfind("Names/Name"):
        name = " ".join(text(one, f"Name{part}") for part in _NAME_PARTS)
        yield name, _name_kind(text(one, "NameType"), text(one, "AliasStrength"))
    for other in texts(element, "NameNonLatinScript"):
        yield other, NameKind.ALIAS


def _from_csv(path: Path) -> Iterator[ListedParty]:
    designations: dict[str, list[dict[str, str]]] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            for row in _csv_rows(parties.lines(file)):
                designations.setdefault(row["Unique ID"], []).append(row)
    except (csv.Error, UnicodeDecodeError) as error:
        raise UnusableList(f"The file is not complete: {error}.") from error
    for rows in designations.values():
        yield _party(partial(_csv_values, rows), _csv_names(rows))


def _csv_values(rows: list[dict[str, str]], _tag: str, column: str) -> list[str]:
    return [row.get(column, "") for row in rows]


def _csv_rows(file: Iterable[str]) -> Iterator[dict[str, str]]:
    """Yield the lines below the header, which follows a line with the date of the report."""
    header: list[str] = []
    for row in csv.reader(file, strict=True):
        if header and row:
            if len(row) != len(header):
                raise UnusableList(f"A line has {len(row)} fields instead of {len(header)}.")
            yield {key: parties.clean(value) for key, value in zip(header, row, strict=True)}
        elif "Unique ID" in row:
            header = row
    if not header:
        raise UnusableList("The file has no column “Unique ID”.")


def _csv_names(rows: Iterable[dict[str, str]]) -> Iterator[tuple[str, NameKind]]:
    for row in rows:
        name = " ".join(row.get(f"Name {part}", "") for part in _NAME_PARTS)
        yield name, _name_kind(row.get("Name type", ""), row.get("Alias strength", ""))
        yield row.get("Name non-latin script", ""), NameKind.ALIAS


def _name_kind(kind: str, strength: str) -> NameKind:
    if kind.casefold() == "primary name":
        return NameKind.PRIMARY
    return NameKind.WEAK if strength.casefold().startswith("low") else NameKind.ALIAS


def _party(values: _Values, names: Iterable[tuple[str, NameKind]]) -> ListedParty:
    uid = "".join(values("UniqueID", "Unique ID")[:1])
    kinds = [
        *values("IndividualEntityShip", "Designation Type"),
        *values("IndividualEntityShip", "Individual, Entity, Ship"),
    ]
    kind = next(filter(None, kinds), "").casefold()
    if not uid or kind not in _TYPES:
        raise UnusableList(f"The entry {uid or 'without a number'} has the type “{kind}”.")
    details = {
        "positions": parties.in_order(values("Position", "Position")),
        "imposed": parties.in_order(values("SanctionsImposed", "Sanctions Imposed")),
        "remarks": " ".join(parties.in_order(values("OtherInformation", "Other Information"))),
    }
    return ListedParty(
        uid=uid,
        type=_TYPES[kind],
        names=parties.named(names, uid),
        programme=", ".join(parties.in_order(values("RegimeName", "Regime Name"))),
        birth_dates=parties.in_order(map(parties.day_first, values("DOB", "D.O.B"))),
        countries=parties.codes(one for pair in _COUNTRIES for one in values(*pair)),
        identifiers=parties.identified(
            parties.identifier(kind, value)
            for kind, pair in _IDENTIFIERS.items()
            for value in values(*pair)
        ),
        details={key: value for key, value in details.items() if value},
    )
