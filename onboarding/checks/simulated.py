"""Simulated check providers: deterministic, marked as simulated, controlled by magic values.

`Flaky` in the legal name fails the first attempt. A registration number ending in 000 is not on the
register. `Sanctioned` in a name, in any spelling, is a possible match. A signatory with `Unknown`
in their name needs review.
"""

from onboarding.checks.providers import CheckResult, Inquiry, ProviderDown
from onboarding.lifecycle import CheckStatus
from onboarding.restrictions.spelling import form_that_holds

LIST = "SIM-2026-11-01"
LISTED_COMPANY = {
    "entry": "SIM-0001",
    "name": "Sanctioned Shipping and Trading",
    "country": "KP",
    "number": "SIM-774411",
}
LISTED_PERSON = {
    "entry": "SIM-0002",
    "name": "Sanctioned Person",
    "country": "KP",
    "born": "1961-04-12",
}


class Register:
    """A simulated company register."""

    name = "simulated-register"
    simulated = True

    def look(self, inquiry: Inquiry) -> CheckResult:
        _fail_first_attempt(inquiry)
        if inquiry.number.endswith("000"):
            return CheckResult(
                CheckStatus.FAILED, "No company with this number is on the register."
            )
        evidence = {"record": f"{inquiry.country}-{inquiry.number}", "name": inquiry.name}
        return CheckResult(CheckStatus.PASSED, "Found on the register under this name.", evidence)


class Screening:
    """A simulated sanctions screening service."""

    name = "simulated-screening"
    simulated = True

    def look(self, inquiry: Inquiry) -> CheckResult:
        _fail_first_attempt(inquiry)
        if form := form_that_holds("Sanctioned", inquiry.name):
            entry = LISTED_COMPANY if inquiry.number else LISTED_PERSON
            evidence = {"list": LIST, "matched": f"name, {form}", **entry}
            says = "Possible match: the name resembles an entry. Compare the other details."
            return CheckResult(CheckStatus.NEEDS_REVIEW, says, evidence)
        return CheckResult(CheckStatus.PASSED, "No entry matches.", {"list": LIST})


class Identity:
    """A simulated identity verification service."""

    name = "simulated-identity"
    simulated = True

    def look(self, inquiry: Inquiry) -> CheckResult:
        _fail_first_attempt(inquiry)
        if "unknown" in inquiry.name.casefold():
            says = "We could not read the document. A reviewer must look at it."
            return CheckResult(CheckStatus.NEEDS_REVIEW, says)
        says = "Document and liveness confirmed, remotely."
        return CheckResult(CheckStatus.PASSED, says, {"method": "remote_liveness"})


def _fail_first_attempt(inquiry: Inquiry) -> None:
    if "flaky" in inquiry.business_name.casefold() and inquiry.attempt == 1:
        raise ProviderDown("The simulated service did not answer.")
