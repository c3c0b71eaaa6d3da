"""Simulated check providers: deterministic, marked as simulated, controlled by magic values.

`Flaky` in the legal name fails the first attempt. A registration number ending in 000 is not on the
register. `Sanctioned` in a name, in any spelling, is a possible match. The identity service answers
later: at once if asked again, and after a minute for a signatory with `Patience` in their name. One
with `Unknown` in their name needs review. It saw one with `Visited` in their name in person, and
only a document of one with `Scanned`.
"""

import hmac
from collections.abc import Mapping
from datetime import timedelta

from django.conf import settings

from console.core.digests import sha256_hex
from onboarding.checks import register_people
from onboarding.checks.providers import AnswersLater, CheckResult, Inquiry, ProviderDown
from onboarding.lifecycle import CheckStatus
from onboarding.models.check import CheckKind
from onboarding.registers import simulated_register
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

_METHODS = {
    "visited": ("in_person", "Identity confirmed in person."),
    "scanned": ("remote_document", "Document confirmed, remotely, without liveness."),
}


class Register:
    """A simulated company register."""

    name = "simulated-register"
    simulated = True

    def look(self, inquiry: Inquiry) -> CheckResult:
        _fail_first_attempt(inquiry)
        if inquiry.kind == CheckKind.OWNERS:
            found = simulated_register.people(inquiry.country, inquiry.number)
            return register_people.result(found)
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
            entry = LISTED_PERSON if inquiry.is_person else LISTED_COMPANY
            evidence = {"list": LIST, "matched": f"name, {form}", **entry}
            says = "Possible match: the name resembles an entry. Compare the other details."
            return CheckResult(CheckStatus.NEEDS_REVIEW, says, evidence)
        return CheckResult(CheckStatus.PASSED, "No entry matches.", {"list": LIST})


class Identity:
    """A simulated identity verification service, which answers later."""

    name = "simulated-identity"
    simulated = True

    def look(self, inquiry: Inquiry) -> AnswersLater:
        _fail_first_attempt(inquiry)
        reference = "sim-" + sha256_hex(f"{inquiry.business_name} {inquiry.name}".encode())[:16]
        slow = "patience" in inquiry.name.casefold()
        return AnswersLater(reference, timedelta(minutes=1 if slow else 0))

    def result(self, reference: str, inquiry: Inquiry) -> CheckResult:
        if inquiry.kind == CheckKind.ADDRESS:
            return CheckResult(CheckStatus.PASSED, "Home address confirmed with a document.")
        if "unknown" in inquiry.name.casefold():
            says = "We could not read the document. A reviewer must look at it."
            return CheckResult(CheckStatus.NEEDS_REVIEW, says)
        for word, (method, says) in _METHODS.items():
            if word in inquiry.name.casefold():
                return CheckResult(CheckStatus.PASSED, says, {"method": method})
        says = "Document and liveness confirmed, remotely."
        return CheckResult(CheckStatus.PASSED, says, {"method": "remote_liveness"})

    def reference_in(self, headers: Mapping[str, str], body: bytes) -> str | None:
        signed = headers.get("Simulated-Signature", "")
        expected = self.signature_of(body).encode()
        return body.decode() if hmac.compare_digest(signed.encode(), expected) else None

    def signature_of(self, body: bytes) -> str:
        return hmac.new(settings.SECRET_KEY.encode(), body, "sha256").hexdigest()


def _fail_first_attempt(inquiry: Inquiry) -> None:
    if "flaky" in inquiry.business_name.casefold() and inquiry.attempt == 1:
        raise ProviderDown("The simulated service did not answer.")
