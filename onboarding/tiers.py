"""The tiers, in order."""

from enum import StrEnum


class Tier(StrEnum):
    """How much care a business needs. PROHIBITED is reached through a knock-out only."""

    LOW = "LOW"
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"
    PROHIBITED = "PROHIBITED"

    @property
    def rank(self) -> int:
        return list(Tier).index(self)


def worst(*tiers: Tier) -> Tier:
    """Return the tier that asks for the most care."""
    return max(tiers, key=lambda tier: tier.rank)
