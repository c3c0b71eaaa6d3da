"""From which interest somebody is a beneficial owner, by regime and date.

Compliance confirms these rows with the risk model. Each names its source.
"""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from fractions import Fraction

# Whoever is at most this far below the threshold is shown as near.
NEAR = Fraction(5, 100)


class ThresholdRule(StrEnum):
    """Whose test it is. The two of ours are for low and medium, and for high risk."""

    OURS = "ours"
    OURS_HIGH = "ours_high"
    EU = "eu"
    US = "us"
    UK = "uk"


@dataclass(frozen=True)
class OwnerThreshold:
    """A test of interest that counts from `since`. `includes`: exactly this part qualifies."""

    rule: ThresholdRule
    since: date
    part: Fraction
    source: str
    includes: bool = True

    def is_reached(self, part: Fraction) -> bool:
        return part > self.part or (self.includes and part == self.part)

    def is_near(self, part: Fraction) -> bool:
        return not self.is_reached(part) and part >= self.part - NEAR

    def __str__(self) -> str:
        percent = f"{self.part * 100} %"
        return f"{percent} or more" if self.includes else f"more than {percent}"


_QUARTER, _TENTH = Fraction(25, 100), Fraction(10, 100)
THRESHOLDS = (
    OwnerThreshold(ThresholdRule.OURS, date(2026, 11, 1), _QUARTER, "Our policy"),
    OwnerThreshold(ThresholdRule.OURS_HIGH, date(2026, 11, 1), _TENTH, "Our policy"),
    OwnerThreshold(
        ThresholdRule.EU,
        date(2017, 6, 26),
        _QUARTER,
        "Directive (EU) 2015/849, article 3",
        includes=False,
    ),
    OwnerThreshold(
        ThresholdRule.EU, date(2027, 7, 10), _QUARTER, "Regulation (EU) 2024/1624, article 52"
    ),
    OwnerThreshold(ThresholdRule.US, date(2018, 5, 11), _QUARTER, "31 CFR 1010.230"),
    OwnerThreshold(
        ThresholdRule.UK,
        date(2016, 4, 6),
        _QUARTER,
        "Companies Act 2006, schedule 1A",
        includes=False,
    ),
)


def threshold(rule: ThresholdRule, on: date) -> OwnerThreshold:
    """Return the test of a regime on a day: the newest that counts, else the first to come."""
    rows = sorted((one for one in THRESHOLDS if one.rule == rule), key=lambda one: one.since)
    return next((one for one in reversed(rows) if one.since <= on), rows[0])
