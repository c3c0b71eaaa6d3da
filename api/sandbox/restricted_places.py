"""Check addresses and bank accounts against the restricted list in force."""

from collections.abc import Mapping
from typing import Any

from onboarding.restrictions import refusing
from onboarding.restrictions.restricted_list import RestrictionScope, StatedPlace


def require_unrestricted_account(account: Mapping[str, Any], *countries: str) -> None:
    """Refuse a bank account in a restricted country, including the country of its BIC.

    `countries` are further destinations of the money.
    """
    stated = [account["country"], *countries, account.get("bic", "")[4:6]]
    refusing.require_none(StatedPlace(one, RestrictionScope.CORRIDOR) for one in stated if one)


def require_unrestricted_residence(country: str, address: Mapping[str, Any]) -> None:
    """Refuse a person or business in a restricted country or region; either may be empty."""
    stated = [StatedPlace(country, RestrictionScope.RESIDENCE)] if country else []
    if address:
        stated.append(StatedPlace.of_address(address, RestrictionScope.ADDRESS))
    refusing.require_none(stated)
