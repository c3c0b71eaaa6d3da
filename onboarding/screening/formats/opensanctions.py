"""OpenSanctions' `targets.simple.csv`: one line for each target, of any of its collections."""

import csv
from collections.abc import Iterator
from pathlib import Path

from onboarding.screening.formats import parties
from onboarding.screening.formats.parties import ListedParty, UnusableList
from onboarding.screening.models import ListedType, NameKind

_URL = "https://www.opensanctions.org/entities/"
_ORGANISATIONS = ("Organization", "Company", "PublicBody")  # a LegalEntity may be a person
_TYPES = {"Person": ListedType.PERSON, "Vessel": ListedType.VESSEL} | dict.fromkeys(
    _ORGANISATIONS, ListedType.ORGANISATION
)
_NEEDED = {"id", "schema", "name", "aliases", "birth_date", "countries", "identifiers", "dataset"}
# Lines may be as long as an entry with very many names and addresses.
_LONGEST_FIELD = 1024 * 1024


def read(path: Path) -> Iterator[ListedParty]:
    """Yield every target.

    The columns about when a target was seen are not part of its content, because they change with
    each file.
    """
    csv.field_size_limit(_LONGEST_FIELD)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(parties.lines(file), strict=True)
            if missing := _NEEDED - set(rows.fieldnames or ()):
                raise UnusableList(f"The file has no column “{min(missing)}”.")
            for row in rows:
                if None in row or None in row.values():
                    raise UnusableList(f"Line {rows.line_num} has too few or too many fields.")
                yield _party(row)
    except (csv.Error, UnicodeDecodeError) as error:
        raise UnusableList(f"The file is not complete: {error}.") from error


def _party(row: dict[str, str]) -> ListedParty:
    names = [(row["name"], NameKind.PRIMARY)]
    names += [(alias, NameKind.ALIAS) for alias in _several(row["aliases"])]
    details = {
        "addresses": _several(row.get("addresses", "")),
        "remarks": "; ".join(_several(row.get("sanctions", ""))),
    }
    return ListedParty(
        uid=row["id"],
        type=_TYPES.get(row["schema"], ListedType.OTHER),
        names=parties.named(names, row["id"]),
        programme="; ".join(_several(row["dataset"])),
        birth_dates=[one[:10] for one in _several(row["birth_date"])],
        countries=parties.codes(_several(row["countries"])),
        identifiers=[parties.identifier("", one) for one in _several(row["identifiers"])],
        url=_URL + row["id"] + "/",
        details={key: value for key, value in details.items() if value},
    )


def _several(text: str) -> list[str]:
    """Return the values of a field, separated by semicolons and quoted like a line of CSV."""
    return parties.in_order(one for row in csv.reader([text], delimiter=";") for one in row)
