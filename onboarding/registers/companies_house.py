"""Companies House, the register of the United Kingdom: GET /company/{number} with a key.

https://developer-specs.company-information.service.gov.uk/companies-house-public-data-api-specification
"""

from base64 import b64encode
from typing import Any
from urllib.parse import quote

from django.conf import settings

from onboarding.registers import asking
from onboarding.registers.asking import words
from onboarding.registers.records import RegisterDown, RegisterRecord

NAME = "Companies House"
_ACTIVE = ("active", "open", "registered")
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
    compact = "".join(number.split()).upper()
    if compact.isdigit():
        compact = compact.zfill(8)
    url = f"{settings.COMPANIES_HOUSE_URL}/company/{quote(compact, safe='')}"
    user = b64encode(f"{settings.COMPANIES_HOUSE_KEY}:".encode()).decode()
    profile = asking.get(url, {"Authorization": f"Basic {user}"})
    if profile is None:
        return None
    if not (words(profile, "company_name") and words(profile, "company_number")):
        raise RegisterDown("not a company profile")
    return _record(profile)


def _record(profile: Any) -> RegisterRecord:
    status = words(profile, "company_status")
    doubt = f"The company's status is “{status.replace('-', ' ') or 'unknown'}”."
    return RegisterRecord(
        register=NAME,
        record=words(profile, "company_number"),
        name=words(profile, "company_name"),
        country="GB",
        number=words(profile, "company_number"),
        legal_form=_LEGAL_FORMS.get(words(profile, "type"), ""),
        status=status,
        since=words(profile, "date_of_creation"),
        address=_address(profile),
        doubts=() if status in _ACTIVE else (doubt,),
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
