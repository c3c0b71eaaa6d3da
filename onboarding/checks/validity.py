"""How long a passed check is valid, by kind and risk tier."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from console.core import clock
from onboarding.models import Check
from onboarding.models.check import CheckKind
from onboarding.tiers import Tier

# Registers change yearly, and a person's identity hardly ever. Sanctions lists change weekly, but
# everybody is screened against each change.
VALID_DAYS: Mapping[str, int] = {
    CheckKind.REGISTRY: 365,
    CheckKind.NUMBER: 730,
    CheckKind.SCREENING: 180,
    CheckKind.SIGNATORY: 730,
    CheckKind.OWNERS: 365,
    CheckKind.IDENTITY: 730,
    CheckKind.ADDRESS: 365,
}
# Where the risk is high, everything is checked twice as often.
_TIMES_AS_OFTEN = {Tier.LOW: 1, Tier.MEDIUM: 1, Tier.HIGH: 2, Tier.PROHIBITED: 2}
# The longest validity of a waiver.
LONGEST_WAIVER = timedelta(days=365)


def until(check: Check) -> datetime:
    """Return until when a check is valid that passes now. Before the first score: as for HIGH."""
    assessment = check.application.assessment
    tier = Tier.HIGH if assessment is None else Tier(assessment.tier)
    return clock.now() + timedelta(days=VALID_DAYS[check.kind]) / _TIMES_AS_OFTEN[tier]
