"""Companies House, the register of the United Kingdom: companies with a key, and their people.

https://developer-specs.company-information.service.gov.uk/companies-house-public-data-api-specification
"""

import re
from base64 import b64encode
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any
from urllib.parse import quote

from django.conf import settings

from console.core import clock
from onboarding.registers import asking
from onboarding.registers.asking import words
from onboarding.registers.people import ListedAs, RegisterParty, RegisterPeople
from onboarding.registers.records import RegisterDown, RegisterRecord

NAME = "Companies House"
_DIRECTORS = frozenset(
    [
        *("director", "corporate-director", "nominee-director", "corporate-nominee-director"),
        *("llp-member", "llp-designated-member", "corporate-llp-member"),
        *("corporate-llp-designated-member", "managing-officer"),
    ]
)
_NAMES = ("forename", "middle_name", "surname")
_BAND = re.compile("(?:shares|voting-rights)-([0-9]{2})-to-([0-9]{2,3})-percent")
_ACTIVE = ("active", "open", "registered")
_OF_ANOTHER_COUNTRY = ("oversea-company", "uk-establishment", "registered-overseas-entity")
# What the profile marks as true, and what it means.
_FLAGS = {
    ("has_insolvency_history",): "The register holds insolvency proceedings of the company.",
    ("accounts", "overdue"): "Its accounts are overdue.",
    ("confirmation_statement", "overdue"): "Its confirmation statement is overdue.",
    ("undeliverable_registered_office_address",): "Its registered office cannot receive post.",
    ("registered_office_is_in_dispute",): "Its registered office is in dispute.",
    ("has_been_liquidated",): "It has been liquidated.",
}
# A name that ended later than this is told.
_RECENT = timedelta(days=365)
# Frequent kinds of company, in the words of the questionnaire.
_LEGAL_FORMS = {
    "ltd": "Private limited company",
    "plc": "Public limited company",
    "llp": "Limited liability partnership",
    "limited-partnership": "Limited partnership",
    "private-unlimited": "Private unlimited company",
    "private-limited-guarant-nsc": "Private company limited by guarantee",
    "private-limited-guarant-nsc-limited-exemption": "Private company limited by guarantee",
    "registered-society-non-jurisdictional": "Registered society",
    "uk-establishment": "UK establishment of an overseas company",
}


def is_connected(country: str) -> bool:
    """Tell whether this register is asked about companies of a country."""
    return country == "GB" and bool(settings.COMPANIES_HOUSE_KEY and settings.COMPANIES_HOUSE_URL)


def find(number: str) -> RegisterRecord | None:
    """Return the company with this number, or None if there is none."""
    profile = _get(number)
    if profile is None:
        return None
    if not (words(profile, "company_name") and words(profile, "company_number")):
        raise RegisterDown("not a company profile")
    return _record(profile)


def people(number: str) -> RegisterPeople:
    """Return the active directors of a company and its persons with significant control."""
    officers = _get(number, "/officers?items_per_page=100")
    owners = _get(number, "/persons-with-significant-control?items_per_page=100")
    parties = [*_officers(officers), *_owners(owners)]
    return RegisterPeople(
        NAME,
        tuple(parties),
        has_directors=officers is not None and _is_whole(officers),
        # Without any, the register answers 404. Names of some are not published.
        has_owners=_is_whole(owners) and all(party.name for party in parties),
    )


def _get(number: str, part: str = "") -> Any:
    company = quote(_as_written(number), safe="")
    user = b64encode(f"{settings.COMPANIES_HOUSE_KEY}:".encode()).decode()
    url = f"{settings.COMPANIES_HOUSE_URL}/company/{company}{part}"
    return asking.get(url, {"Authorization": f"Basic {user}"})


def _is_whole(document: Any) -> bool:
    total = asking.member(document, "total_results")
    return not isinstance(total, int) or total <= len(asking.entries(document, "items"))


def _officers(document: Any) -> Iterator[RegisterParty]:
    for one in asking.entries(document, "items"):
        role = words(one, "officer_role")
        if role in _DIRECTORS and not words(one, "resigned_on"):
            yield RegisterParty(
                words(one, "name"),
                ListedAs.DIRECTOR,
                is_person=not role.startswith("corporate"),
                born=_born(one),
            )


def _owners(document: Any) -> Iterator[RegisterParty]:
    for one in asking.entries(document, "items"):
        if words(one, "ceased_on") or words(one, "ceased"):
            continue
        kind = words(one, "kind")
        names = [words(one, "name_elements", part) for part in _NAMES]
        natures = [asking.line(nature) for nature in asking.entries(one, "natures_of_control")]
        bands = [found for nature in natures if (found := _BAND.search(nature))]
        yield RegisterParty(
            " ".join(filter(None, names)) or words(one, "name"),
            ListedAs.OWNER,
            is_person=kind.startswith(("individual", "super-secure")),
            born=_born(one),
            number=words(one, "identification", "registration_number"),
            least=bands[0][1] if bands else "",
            most=bands[0][2] if bands else "",
        )


def _born(one: Any) -> str:
    year, month = (asking.member(one, "date_of_birth", part) for part in ("year", "month"))
    try:
        return f"{date(year, month, 1):%Y-%m}"
    except (TypeError, ValueError, OverflowError):
        return ""


def _as_written(number: str) -> str:
    """Return a number as the register writes it: eight characters, with zeros after a prefix."""
    compact = "".join(number.split()).upper()
    parts = re.fullmatch(r"([A-Z]{0,2})([0-9]{1,8})", compact)
    return parts[1] + parts[2].zfill(8 - len(parts[1])) if parts else compact


def _doubts(profile: Any) -> Iterator[str]:
    """Yield what a reviewer must read before the company counts as confirmed."""
    status, detail = words(profile, "company_status"), words(profile, "company_status_detail")
    if status not in _ACTIVE:
        yield f"The company's status is “{_readable(status) or 'unknown'}”."
    if detail:
        yield f"The register adds to the status: “{_readable(detail)}”."
    if (kind := words(profile, "type")) in _OF_ANOTHER_COUNTRY:
        yield f"It is registered as “{_readable(kind)}”: the company itself is of another country."
    yield from (said for path, said in _FLAGS.items() if asking.member(profile, *path) is True)
    recently = (clock.now() - _RECENT).date().isoformat()
    for one in asking.entries(profile, "previous_company_names"):
        if words(one, "ceased_on") >= recently:
            yield f"Its name was “{words(one, 'name')}” until {words(one, 'ceased_on')}."


def _readable(code: str) -> str:
    return code.replace("-", " ")


def _record(profile: Any) -> RegisterRecord:
    return RegisterRecord(
        register=NAME,
        record=words(profile, "company_number"),
        name=words(profile, "company_name"),
        country="GB",
        number=words(profile, "company_number"),
        legal_form=_LEGAL_FORMS.get(words(profile, "type"), ""),
        status=words(profile, "company_status"),
        since=words(profile, "date_of_creation"),
        address=_address(profile),
        doubts=tuple(_doubts(profile)),
    )


def _address(profile: Any) -> dict[str, str]:
    def part(name: str) -> str:
        return words(profile, "registered_office_address", name)

    return {
        "line1": " ".join(filter(None, (part("premises"), part("address_line_1")))),
        "line2": part("address_line_2"),
        "city": part("locality"),
        "state": part("region"),
        "postal_code": part("postal_code"),
        "country": "GB",
    }
