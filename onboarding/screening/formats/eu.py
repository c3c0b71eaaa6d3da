"""The consolidated list of the European Union: XML of its Financial Sanctions Files, 1.1."""

from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

from onboarding.screening.formats import parties
from onboarding.screening.formats.parties import ListedParty, UnusableList
from onboarding.screening.formats.xml_stream import elements, text
from onboarding.screening.models import ListedType, NameKind

_TYPES = {"person": ListedType.PERSON, "enterprise": ListedType.ORGANISATION}
_ADDRESS = ("street", "poBox", "zipCode", "city", "place", "region", "countryDescription")
_UNKNOWN_COUNTRY = "00"


def read(path: Path) -> Iterator[ListedParty]:
    """Yield every sanctioned entity."""
    for element in elements(path, "export", "sanctionEntity"):
        yield _party(element)


def _party(element: Element) -> ListedParty:
    uid = element.get("euReferenceNumber") or element.get("logicalId") or ""
    subject = element.find("subjectType")
    kind = "" if subject is None else subject.get("code", "")
    if not uid or not kind:
        raise UnusableList(f"The entry {uid or 'without a number'} has no type.")
    remarks = parties.in_order(one.text or "" for one in element.iterfind("remark"))
    positions = parties.in_order(one.get("function", "") for one in element.iterfind("nameAlias"))
    addresses = parties.in_order(
        ", ".join(filter(None, map(one.get, _ADDRESS))) for one in element.iterfind("address")
    )
    details = {"positions": positions, "addresses": addresses, "remarks": " ".join(remarks)}
    regulations = element.findall("regulation")
    return ListedParty(
        uid=uid,
        type=_TYPES.get(kind, ListedType.OTHER),
        names=parties.named(_names(element), uid),
        programme=", ".join(parties.in_order(one.get("programme", "") for one in regulations)),
        birth_dates=parties.in_order(
            one.get("birthdate")
            or parties.partial_date(one.get("year"), one.get("monthOfYear"), one.get("dayOfMonth"))
            for one in element.iterfind("birthdate")
        ),
        countries=parties.codes(
            _country(one) for tag in ("citizenship", "address") for one in element.iterfind(tag)
        ),
        identifiers=parties.identified(
            parties.identifier(
                one.get("identificationTypeDescription") or one.get("identificationTypeCode"),
                one.get("number") or one.get("latinNumber"),
                _country(one),
            )
            for one in element.iterfind("identification")
        ),
        url=text(regulations[0], "publicationUrl")[:500] if regulations else "",
        details={key: value for key, value in details.items() if value},
    )


def _country(element: Element) -> str:
    code = element.get("countryIso2Code", "")
    return "" if code == _UNKNOWN_COUNTRY else code


def _names(element: Element) -> Iterator[tuple[str, NameKind]]:
    """Yield the names. The first strong one is the primary name."""
    for alias in element.iterfind("nameAlias"):
        parts = (alias.get(part) for part in ("firstName", "middleName", "lastName"))
        name = alias.get("wholeName") or " ".join(filter(None, parts))
        yield name, NameKind.WEAK if alias.get("strong") == "false" else NameKind.ALIAS
