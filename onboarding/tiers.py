"""The risk tiers, from lowest to highest."""

from enum import StrEnum

from django.utils.translation import gettext_lazy


class Tier(StrEnum):
    """The level of due diligence. PROHIBITED is only reached through a knock-out."""

    LOW = "LOW"
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"
    PROHIBITED = "PROHIBITED"

    @property
    def rank(self) -> int:
        return list(Tier).index(self)


NAMES = {
    Tier.LOW: gettext_lazy("Low"),
    Tier.MEDIUM: gettext_lazy("Medium"),
    Tier.HIGH: gettext_lazy("High"),
    Tier.PROHIBITED: gettext_lazy("Prohibited"),
}


def worst(*tiers: Tier) -> Tier:
    """Return the highest of these tiers."""
    return max(tiers, key=lambda tier: tier.rank)
