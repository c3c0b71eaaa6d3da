"""Who signs a pack, how many of them bind the business, and why nobody can."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from agreements.models import Pack, Revision
from console.core.refusals import Blocker
from onboarding.intake import signing_authority

# Rules as the offer states them. The offer is not translated.
RULES = {
    "alone": "the signatory alone",
    "any_two": "any two of the signatories",
    "all": "all signatories",
    "pair": "both signatories",
}
_TWO = 2


@dataclass(frozen=True)
class Signatory:
    """A person whom a revision names to sign. `place` counts from 0, the signatory."""

    place: int
    name: str
    title: str
    email: str


def signatories(revision: Revision | None) -> list[Signatory]:
    """Return everybody whom the revision names to sign, in order."""
    first: dict[str, Any] = revision.signatory if revision else {}
    rows = [first, *first.get("others", [])] if first else []
    return [
        Signatory(place, row["name"], row["title"], row["email"].strip().lower())
        for place, row in enumerate(rows)
    ]


def signatory_at(revision: Revision | None, email: str) -> Signatory | None:
    """Return whom the revision names with this address."""
    return next((one for one in signatories(revision) if one.email == email), None)


def rule_of(revision: Revision) -> str:
    """Return the rule: a key of `RULES`."""
    return str(revision.signatory.get("rule", "alone"))


def rule_in_words(revision: Revision | None) -> str:
    """Return who must sign, for a page, or "" if one person signs."""
    if revision is None or not signatories(revision)[1:]:
        return ""
    if rule_of(revision) == "any_two":
        return _("The pack is signed once any two of them have signed.")
    return _("The pack is signed once all of them have signed.")


def needed(revision: Revision) -> int:
    """Return how many signatures bind the business."""
    rule, named = rule_of(revision), len(signatories(revision))
    return {"alone": 1, "all": named}.get(rule, _TWO)


def is_met(revision: Revision, signed: Iterable[str]) -> bool:
    """Tell whether signatures by the people with these addresses bind the business."""
    by_named = {one.email for one in signatories(revision)} & {*signed}
    return len(by_named) >= needed(revision)


def blockers(pack: Pack, *, is_told: bool = True) -> list[Blocker]:
    """Return why nobody can sign the pack. `is_told`: the business reads it."""
    signatory = pack.revision.signatory if pack.revision else {}
    if not (why := signing_authority.obstacle(signatory)):
        return []
    told = _("%(why)s Write to us: we return your answers, so that you can correct them.")
    said = told % {"why": why} if is_told else signing_authority.instruction(signatory)
    return [Blocker("authority", said)]
