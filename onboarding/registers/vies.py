"""VIES, the European Commission's service for VAT numbers: POST /check-vat-number.

We ask about the VAT number that follows from the registration number, in countries where it does,
and about a VAT number given as registration number. VIES does not say whether a company is active.
https://ec.europa.eu/taxation_customs/vies/#/technical-information
"""

import re

from django.conf import settings
from stdnum import get_cc_module
from stdnum.eu import vat
from stdnum.exceptions import ValidationError
from stdnum.fr import siren
from stdnum.gb import vat as gb_vat

from onboarding.registers import asking
from onboarding.registers.asking import words
from onboarding.registers.records import RegisterDown, RegisterRecord

NAME = "VIES"
# Countries whose VAT numbers are the country's code and the registration number.
_SAME_NUMBER = ("BE", "BG", "CZ", "DK", "FI", "HR", "LV", "PT")
_NOT_TOLD = "---"
# `userError` of an answer; every other word says why there is none.
_ANSWERS = ("", "VALID", "INVALID")
_ONLY_TAX = "VIES confirms a tax registration. It does not say whether the company is active."


def is_connected(country: str, number: str) -> bool:
    """Tell whether VIES is asked: it is switched on and a VAT number is known."""
    return bool(settings.VIES_URL and vat_number(country, number))


def vat_number(country: str, number: str) -> str:
    """Return the VAT number, with its country's prefix, that follows from a number, or ""."""
    compact = re.sub(r"[\s./-]", "", number).upper()
    prefix = "EL" if country == "GR" else country
    if compact.startswith(prefix) and vat.is_valid(compact):
        return compact
    # Northern Ireland: the VAT number of the United Kingdom, with a prefix of its own.
    if country == "GB" and compact.startswith("XI") and gb_vat.is_valid(compact[2:]):
        return compact
    if country == "FR" and siren.is_valid(compact):
        return "FR" + re.sub(r"\s", "", siren.to_tva(compact))
    if country == "SE":
        compact += "01"
    elif country not in _SAME_NUMBER:
        return ""
    module = get_cc_module(country.lower(), "vat")
    assert module is not None, f"stdnum has no VAT number of {country}"
    try:
        return f"{prefix}{module.validate(compact)}"
    except ValidationError:
        return ""


def find(country: str, number: str) -> RegisterRecord | None:
    """Return the company with this VAT number, or None if VIES says that it is not valid."""
    whole = vat_number(country, number)
    asked = {"countryCode": whole[:2], "vatNumber": whole[2:]}
    said = asking.post(f"{settings.VIES_URL}/check-vat-number", asked)
    # Errors have another form: {"actionSucceed": false, "errorWrappers": [...]}.
    valid = said.get("valid") if isinstance(said, dict) else None
    # Also with `valid`: false, when the country's service is away, or refuses to answer us.
    if not isinstance(valid, bool) or words(said, "userError") not in _ANSWERS:
        raise RegisterDown("the country's own service did not answer VIES")
    if not valid:
        return None
    name, address = words(said, "name"), words(said, "address")
    return RegisterRecord(
        register=NAME,
        record=whole,
        name="" if name == _NOT_TOLD else name,
        country=country,
        number=number,
        status="valid VAT number",
        address={} if address == _NOT_TOLD else {"line1": address},
        doubts=(_ONLY_TAX,),
    )
