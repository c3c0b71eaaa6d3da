"""The consolidated list of the United Nations Security Council, as XML."""

from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

from onboarding.screening.formats import parties
from onboarding.screening.formats.parties import ListedParty
from onboarding.screening.formats.xml_stream import elements, text, texts
from onboarding.screening.models import ListedType, NameKind

_NAMES = ("FIRST_NAME", "SECOND_NAME", "THIRD_NAME", "FOURTH_NAME")
_ADDRESS = ("STREET", "CITY", "STATE_PROVINCE", "ZIP_CODE", "COUNTRY")


def read(path: Path) -> Iterator[ListedParty]:
    """Yield every individual and every entity."""
    for element in elements(path, "CONSOLIDATED_LIST", "INDIVIDUAL", "ENTITY"):
        yield _party(element)


def _party(element: Element) -> ListedParty:
    kind, uid = element.tag, text(element, "DATAID")
    details = {
        "reference": text(element, "REFERENCE_NUMBER"),
        "listed_on": text(element, "LISTED_ON"),
        "title": ", ".join(texts(element, "TITLE/VALUE")),
        "positions": parties.in_order(one.text or "" for one in element.iterfind("DESIGNATION/*")),
        "addresses": parties.in_order(
            ", ".join(filter(None, (text(one, part) for part in _ADDRESS)))
            for one in element.iterfind(f"{kind}_ADDRESS")
        ),
        "remarks": parties.clean(text(element, "COMMENTS1")),
    }
    return ListedParty(
        uid=uid,
        type=ListedType.PERSON if kind == "INDIVIDUAL" else ListedType.ORGANISATION,
        names=parties.named(_names(element), uid),
        programme=text(element, "UN_LIST_TYPE"),
        birth_dates=parties.in_order(_births(element)),
        countries=parties.codes(
            [
                *(one.text for one in element.iterfind("NATIONALITY/VALUE")),
                *(one.text for one in element.iterfind(f"{kind}_ADDRESS/COUNTRY")),
            ]
        ),
        identifiers=parties.identified(
            parties.identifier(
                text(one, "TYPE_OF_DOCUMENT"),
                text(one, "NUMBER"),
                text(one, "ISSUING_COUNTRY") or text(one, "COUNTRY_OF_ISSUE"),
            )
            for one in element.iterfind("INDIVIDUAL_DOCUMENT")
        ),
        details={key: value for key, value in details.items() if value},
    )


def _names(element: Element) -> Iterator[tuple[str, NameKind]]:
    first, *others = " ".join(text(element, part) for part in _NAMES).split(" ; ")
    yield first, NameKind.PRIMARY
    yield from ((one, NameKind.ALIAS) for one in others)
    yield text(element, "NAME_ORIGINAL_SCRIPT"), NameKind.ALIAS
    for alias in element.iterfind(f"{element.tag}_ALIAS"):
        is_weak = text(alias, "QUALITY") == "Low"
        yield text(alias, "ALIAS_NAME"), NameKind.WEAK if is_weak else NameKind.ALIAS


def _births(element: Element) -> Iterator[str]:
    for born in element.iterfind("INDIVIDUAL_DATE_OF_BIRTH"):
        first, last = text(born, "FROM_YEAR"), text(born, "TO_YEAR")
        if first.isdecimal() and last.isdecimal():
            yield from parties.years(first, last)
        yield parties.partial_date(text(born, "YEAR"))
        yield parties.partial_date(*text(born, "DATE").split("-")[:3])
