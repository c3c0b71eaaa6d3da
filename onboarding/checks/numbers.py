"""Validation of registration numbers, with check digits for countries that have them."""

from onboarding.checks.providers import CheckResult, Inquiry
from onboarding.lifecycle import CheckStatus
from onboarding.reference import register_numbers


class CheckDigits:
    """Our own validation, which contacts no provider."""

    name = "check-digits"
    simulated = False

    def look(self, inquiry: Inquiry) -> CheckResult:
        if register_numbers.canonical(inquiry.country, inquiry.number):
            return CheckResult(CheckStatus.PASSED, "The number matches the format of its country.")
        says = "The number does not match the format of its country."
        return CheckResult(CheckStatus.FAILED, says)
