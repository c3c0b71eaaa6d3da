"""Validation of registration numbers, with check digits for countries that have them."""

import re

from stdnum import get_cc_module
from stdnum.exceptions import ValidationError

from onboarding.checks.providers import CheckResult, Inquiry
from onboarding.lifecycle import CheckStatus

# Country -> the `stdnum` module of the number that its company register issues.
MODULES = {
    "AU": "acn",
    "BR": "cnpj",
    "CH": "uid",
    "DE": "handelsregisternummer",
    "DK": "cvr",
    "EE": "registrikood",
    "FR": "siren",
    "NO": "orgnr",
    "SE": "orgnr",
    "SG": "uen",
}
# Other countries: their usual formats, without spaces.
SHAPES = {
    # Companies House: R for old companies of Northern Ireland; some societies end in a letter.
    "GB": re.compile(
        r"(?:[0-9]{2}|[A-Z]{2}|R[0-9])[0-9]{6}|(?:IP|NP|RS|SP)[0-9A-Z]{6}|SL[0-9]{5}[0-9A]"
    ),
    "NG": re.compile(r"(?:RC|BN|IT)?[0-9]{4,8}"),
    "KE": re.compile(r"[A-Z]{1,4}[/.-]?[A-Z0-9/.-]{3,16}"),
}
ANY = re.compile(r"[A-Z0-9][A-Z0-9/.-]{1,39}")


class CheckDigits:
    """Our own validation, which contacts no provider."""

    name = "check-digits"
    simulated = False

    def look(self, inquiry: Inquiry) -> CheckResult:
        if self._is_valid(inquiry.country, inquiry.number):
            return CheckResult(CheckStatus.PASSED, "The number matches the format of its country.")
        says = "The number does not match the format of its country."
        return CheckResult(CheckStatus.FAILED, says)

    def _is_valid(self, country: str, number: str) -> bool:
        if country in MODULES:
            return self._has_check_digits(country, number)
        compact = re.sub(r"\s", "", number).upper()
        return bool(SHAPES.get(country, ANY).fullmatch(compact))

    def _has_check_digits(self, country: str, number: str) -> bool:
        module = get_cc_module(country.lower(), MODULES[country])
        assert module is not None, f"stdnum has no {MODULES[country]} of {country}"
        try:
            module.validate(number)
        except ValidationError:
            return False
        return True
