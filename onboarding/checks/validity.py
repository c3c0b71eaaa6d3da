"""How long a check counts that has passed, by what it is about."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from console.core import clock
from onboarding.models.check import CheckKind

# Lists of sanctions change every week, registers every year, a person's identity hardly ever.
VALID_DAYS: Mapping[str, int] = {
    CheckKind.REGISTRY: 365,
    CheckKind.NUMBER: 730,
    CheckKind.SCREENING: 180,
    CheckKind.SIGNATORY: 730,
}
# The longest that two people may do without a check.
LONGEST_WAIVER = timedelta(days=365)


def until(kind: str) -> datetime:
    """Return until when a check of this kind counts that passes now."""
    return clock.now() + timedelta(days=VALID_DAYS[kind])
