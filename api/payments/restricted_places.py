"""Check addresses and bank accounts against the restricted list in force."""

from collections.abc import Mapping
from typing import Any

from api.payments.models import Beneficiary
from onboarding.restrictions import refusing
from onboarding.restrictions.restricted_list import RestrictionScope, StatedPlace


def account_places(account: Mapping[str, Any], *, path: str = "") -> list[StatedPlace]:
    """Return the places of a bank account, which its BIC may name as well.

    Their paths are the members of the account, or `path`.
    """
    stated = {"country": account["country"], "bic": account.get("bic", "")[4:6]}
    return [
        StatedPlace(place, RestrictionScope.CORRIDOR, path=path or member)
        for member, place in stated.items()
        if place
    ]


def residence_places(
    country: str, address: Mapping[str, Any] | None = None, *, path: str = ""
) -> list[StatedPlace]:
    """Return the places where a person or business is; each may be empty."""
    stated = []
    if country:
        at = path or "country"
        stated.append(StatedPlace(country, RestrictionScope.RESIDENCE, path=at))
    if address:
        at = path or "address"
        stated.append(StatedPlace.of_address(address, RestrictionScope.ADDRESS, at))
    return stated


def require_unrestricted_destination(country: str) -> None:
    """Refuse the member `country` of a request where money cannot go."""
    refusing.require_none([StatedPlace(country, RestrictionScope.CORRIDOR, path="country")])


def require_unrestricted_beneficiary(kept: Beneficiary) -> None:
    """Refuse a beneficiary who has become restricted."""
    path = "beneficiary_id"
    to = StatedPlace(kept.country, RestrictionScope.CORRIDOR, path=path)
    refusing.require_none([to, *account_places(kept.account, path=path)])


def require_unrestricted_residence(
    country: str, address: Mapping[str, Any], *, member: str = ""
) -> None:
    """Refuse a person or business of a restricted country or region.

    `member` names one stored before; else both are members of the request themselves.
    """
    refusing.require_none(residence_places(country, address, path=member))
