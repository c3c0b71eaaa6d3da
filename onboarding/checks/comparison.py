"""Comparison of the applicant's statements with a provider's findings, for the reviewer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from onboarding.checks import register_people, required_checks
from onboarding.models import Check
from onboarding.models.check import CheckKind
from onboarding.reference import countries
from onboarding.registers import people
from onboarding.registers.records import address_line, dated

# Evidence that corresponds to a statement by the applicant. Other evidence is shown separately.
COMPARED: dict[str, str] = {
    "name": gettext_noop("Name"),
    "born": gettext_noop("Date of birth"),
    "country": gettext_noop("Country of the business"),
    "number": gettext_noop("Registration number"),
}
# The same for the check against a register, which knows more about a company.
REGISTERED: dict[str, str] = {
    "legal_form": gettext_noop("Legal form"),
    "since": gettext_noop("Date of incorporation"),
    "address": gettext_noop("Registered address"),
}
# What the check of owners and directors compares line by line.
_PARSED = ("people", "differences")


@dataclass(frozen=True)
class ComparedLine:
    """One detail: what the applicant stated and what was found. Unknown values are empty."""

    label: str
    stated: str
    found: str


def lines(check: Check) -> list[ComparedLine]:
    """Return the details for which at least one side is known."""
    if listed := people.of_evidence(check.evidence):
        found = register_people.lines(check, listed)
        return [ComparedLine(one.name, one.stated, one.listed) for one in found]
    inquiry = required_checks.inquiry_of(check)
    # We ask owners where they live. For a signatory we only know the business's country.
    labels = {key: _(label) for key, label in COMPARED.items()} | (
        {"country": _("Country of residence")} if inquiry.born else {}
    )
    stated = {key: getattr(inquiry, key) for key in labels}
    if check.kind == CheckKind.REGISTRY:
        labels |= {key: _(label) for key, label in REGISTERED.items()}
        stated |= _registered(check.submission.answers)
    every = (
        ComparedLine(label, _words(key, stated[key]), _words(key, check.evidence.get(key, "")))
        for key, label in labels.items()
    )
    return [line for line in every if line.stated or line.found]


def other_evidence(check: Check) -> dict[str, str]:
    """Return the evidence without a corresponding statement: an entry, a method, a record."""
    compared = COMPARED | (REGISTERED if check.kind == CheckKind.REGISTRY else {})
    return {key: text for key, text in check.evidence.items() if key not in {*compared, *_PARSED}}


def _registered(answers: Mapping[str, Any]) -> dict[str, str]:
    return {
        "legal_form": answers["li_legal_form"],
        "since": answers["li_incorporation_date"],
        "address": address_line(answers["li_registered_address"]),
    }


def _words(key: str, text: str) -> str:
    if key in ("born", "since"):
        return dated(text)
    return countries.name(text) if key == "country" else text
