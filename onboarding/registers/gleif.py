"""GLEIF, the register of legal entity identifiers (LEI) of all countries: JSON:API without a key.

It holds only companies that asked for an LEI, so a missing entry proves nothing.
https://www.gleif.org/en/lei-data/gleif-api
"""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from stdnum import lei

from onboarding.reference import register_numbers
from onboarding.registers import asking
from onboarding.registers.asking import words
from onboarding.registers.people import ListedAs, RegisterParty, RegisterPeople
from onboarding.registers.records import RegisterDown, RegisterRecord

NAME = "GLEIF"
_MOST_ENTRIES = "5"
_ACCEPTED = {"Accept": "application/vnd.api+json"}
# Relationships of level 2. There is none if the company reports an exception.
_PARENTS = {"direct-parent": ListedAs.DIRECT_PARENT, "ultimate-parent": ListedAs.ULTIMATE_PARENT}
# Kinds of other names that are the legal name in another language or script.
_LEGAL_NAMES = ("ALTERNATIVE_LANGUAGE_LEGAL_NAME", "PREFERRED_ASCII_TRANSLITERATED_LEGAL_NAME")


def is_connected() -> bool:
    """Tell whether this register is asked."""
    return bool(settings.GLEIF_URL)


def find(country: str, number: str, name: str = "") -> list[RegisterRecord]:
    """Return the entries with this LEI or registration number or, if there are none, this name."""
    if register_numbers.is_lei(number):
        return _entries({"filter[lei]": lei.compact(number)})
    here = {"filter[entity.legalAddress.country]": country}
    # Registers group digits with blanks, and entries often do not.
    for written in filter(None, dict.fromkeys((number, "".join(number.split())))):
        if found := _entries({"filter[entity.registeredAs]": written, **here}):
            return found
    return _entries({"filter[entity.legalName]": name, **here}) if name else []


def parents(code: str) -> RegisterPeople:
    """Return the parents that consolidate the company with this LEI, which may be none."""
    parties = []
    for path, listed_as in _PARENTS.items():
        url = f"{settings.GLEIF_URL}/lei-records/{lei.compact(code)}/{path}"
        document = asking.get(url, _ACCEPTED)
        if document is not None:
            found = _record(asking.member(document, "data", "attributes"))
            parties.append(RegisterParty(found.name, listed_as, number=found.number))
    return RegisterPeople(NAME, tuple(parties))


def _entries(filters: dict[str, str]) -> list[RegisterRecord]:
    query = urlencode({**filters, "page[size]": _MOST_ENTRIES})
    document = asking.get(f"{settings.GLEIF_URL}/lei-records?{query}", _ACCEPTED)
    if not isinstance(document, dict) or not isinstance(document.get("data"), list):
        raise RegisterDown("not a list of LEI records")
    records = [_record(entry.get("attributes")) for entry in document["data"]]
    # Several entries of one company: one without doubts comes before those that have lapsed.
    return sorted(records, key=lambda record: len(record.doubts))


def _record(found: Any) -> RegisterRecord:
    entity = found.get("entity") if isinstance(found, dict) else None
    name, country = words(entity, "legalName", "name"), words(entity, "legalAddress", "country")
    if not (name and words(found, "lei")):
        raise RegisterDown("not an LEI record")
    return RegisterRecord(
        register=NAME,
        record=words(found, "lei"),
        name=name,
        country=country,
        number=words(entity, "registeredAs"),
        other_names=tuple(
            words(one, "name")
            for member in ("otherNames", "transliteratedOtherNames")
            for one in asking.entries(entity, member)
            if words(one, "type") in _LEGAL_NAMES
        ),
        legal_form=words(entity, "legalForm", "other"),
        status=words(entity, "status").lower(),
        since=words(entity, "creationDate")[:10],
        address=_address(entity),
        doubts=tuple(_doubts(found, entity)),
    )


def _address(entity: Any) -> dict[str, str]:
    found = entity.get("legalAddress")
    lines = [asking.line(one) for one in asking.entries(found, "addressLines")]
    return {
        "line1": lines[0] if lines else "",
        "line2": ", ".join(lines[1:]),
        "city": words(found, "city"),
        "state": "",  # a code such as GB-LND
        "postal_code": words(found, "postalCode"),
        "country": words(found, "country"),
    }


def _doubts(found: Any, entity: Any) -> Iterator[str]:
    if words(entity, "status") != "ACTIVE":
        yield f"The company's status is “{words(entity, 'status').lower() or 'unknown'}”."
    state = words(found, "registration", "status")
    if state != "ISSUED":
        readable = state.lower().replace("_", " ") or "unknown"
        yield f"The status of the LEI is “{readable}”, so the entry may be out of date."
    if words(found, "registration", "corroborationLevel") != "FULLY_CORROBORATED":
        yield "The entry was not fully compared with the company's own register."
