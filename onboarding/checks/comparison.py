"""What an applicant stated beside what a provider found, line by line, for whoever decides."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _

from onboarding.checks import required_checks
from onboarding.models import Check
from onboarding.reference import countries

# The evidence that answers to a statement of the applicant. Anything else stands by itself.
COMPARED: dict[str, str] = {
    "name": "Name",
    "born": "Date of birth",
    "country": "Country of the business",
    "number": "Registration number",
}


@dataclass(frozen=True)
class ComparedLine:
    """One statement: what the applicant wrote, and what was found. Empty where nothing is known."""

    label: str
    stated: str
    found: str


def lines(check: Check) -> list[ComparedLine]:
    """Return what can be compared: each statement of which at least one side is known."""
    inquiry = required_checks.inquiry_of(check)
    # Of owners we ask where they live. Of a signatory we know the business alone.
    labels = COMPARED | ({"country": _("Country of residence")} if inquiry.born else {})
    every = (
        ComparedLine(
            label, _words(key, getattr(inquiry, key)), _words(key, check.evidence.get(key, ""))
        )
        for key, label in labels.items()
    )
    return [line for line in every if line.stated or line.found]


def other_evidence(check: Check) -> dict[str, str]:
    """Return the evidence that is compared with nothing: an entry, a method, a record."""
    return {key: text for key, text in check.evidence.items() if key not in COMPARED}


def _words(key: str, text: str) -> str:
    if key == "born":
        # Lists know of some people the year alone.
        with suppress(ValueError):
            return f"{date.fromisoformat(text):%-d %b %Y}"
    return countries.name(text) if key == "country" else text
