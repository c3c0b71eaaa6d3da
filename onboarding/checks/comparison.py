"""Comparison of the applicant's statements with a provider's findings, for the reviewer."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from onboarding.checks import required_checks
from onboarding.models import Check
from onboarding.reference import countries

# Evidence that corresponds to a statement by the applicant. Other evidence is shown separately.
COMPARED: dict[str, str] = {
    "name": gettext_noop("Name"),
    "born": gettext_noop("Date of birth"),
    "country": gettext_noop("Country of the business"),
    "number": gettext_noop("Registration number"),
}


@dataclass(frozen=True)
class ComparedLine:
    """One detail: what the applicant stated and what was found. Unknown values are empty."""

    label: str
    stated: str
    found: str


def lines(check: Check) -> list[ComparedLine]:
    """Return the details for which at least one side is known."""
    inquiry = required_checks.inquiry_of(check)
    # We ask owners where they live. For a signatory we only know the business's country.
    labels = {key: _(label) for key, label in COMPARED.items()} | (
        {"country": _("Country of residence")} if inquiry.born else {}
    )
    every = (
        ComparedLine(
            label, _words(key, getattr(inquiry, key)), _words(key, check.evidence.get(key, ""))
        )
        for key, label in labels.items()
    )
    return [line for line in every if line.stated or line.found]


def other_evidence(check: Check) -> dict[str, str]:
    """Return the evidence without a corresponding statement: an entry, a method, a record."""
    return {key: text for key, text in check.evidence.items() if key not in COMPARED}


def _words(key: str, text: str) -> str:
    if key == "born":
        # For some people, lists contain only the year.
        with suppress(ValueError):
            return f"{date.fromisoformat(text):%-d %b %Y}"
    return countries.name(text) if key == "country" else text
