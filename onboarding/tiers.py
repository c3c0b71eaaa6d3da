"""The risk tiers, from lowest to highest."""

from enum import StrEnum


class Tier(StrEnum):
    """The level of due diligence. PROHIBITED is only reached through a knock-out."""

    LOW = "LOW"
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"
    PROHIBITED = "PROHIBITED"

    @property
    def rank(self) -> int:
        return list(Tier).index(self)


def worst(*tiers: Tier) -> Tier:
    """Return the highest of these tiers."""
    return max(tiers, key=lambda tier: tier.rank)
