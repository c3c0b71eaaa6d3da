"""How long a passed check is valid, by kind."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from console.core import clock
from onboarding.models.check import CheckKind

# Sanctions lists change weekly, registers yearly, and a person's identity hardly ever.
VALID_DAYS: Mapping[str, int] = {
    CheckKind.REGISTRY: 365,
    CheckKind.NUMBER: 730,
    CheckKind.SCREENING: 180,
    CheckKind.SIGNATORY: 730,
}
# The longest validity of a waiver.
LONGEST_WAIVER = timedelta(days=365)


def until(kind: str) -> datetime:
    """Return until when a check of this kind is valid that passes now."""
    return clock.now() + timedelta(days=VALID_DAYS[kind])
