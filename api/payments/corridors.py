"""Corridors open to a business now, from a versioned file.

Transfers and payouts accept exactly the corridors listed. Countries on the restricted list in force
are never included.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic.dataclasses import dataclass as typed

from api.payments.commercial_files import FOLDER, CommercialFile
from api.payments.currencies import held_currencies
from api.providers.interface import CurrencyNotAvailable, NoProvider
from console.core import clock
from console.core.money import CURRENCIES, Money
from console.publishing import in_use
from console.publishing.files import STRICT, JsonFiles
from onboarding.restrictions import refusing

# For businesses whose tier is not in the file.
_STRICTEST = "high"
_DESTINATION, _NOWHERE = "bank_account/country", "no_corridor"


@typed(frozen=True, config=STRICT, kw_only=True)
class CorridorEnd:
    """A destination: country, currency and payment rails."""

    country: str
    currency: str
    rails: tuple[str, ...]
    delivery_estimate: str


@typed(frozen=True, config=STRICT, kw_only=True)
class CorridorFile(CommercialFile):
    """One version of the corridors."""

    sources: tuple[str, ...]
    min_amount: str
    max_amount: dict[str, str]
    destinations: tuple[CorridorEnd, ...]


def _unusable(found: CorridorFile) -> Iterator[str]:
    if _STRICTEST not in found.max_amount:
        yield f"The corridors name no most of the tier {_STRICTEST}."
    for code in (*found.sources, *(end.currency for end in found.destinations)):
        if code not in CURRENCIES:
            yield f"{code} is no currency that we hold."


FILES = JsonFiles(
    "corridors",
    "Corridors",
    "api.corridors.v1",
    CorridorFile,
    FOLDER,
    prefix="corridors-",
    faults=_unusable,
)


@dataclass(frozen=True)
class OpenCorridor:
    """A corridor from a currency to a country and its currency, with a minimum and a maximum."""

    source_currency: str
    end: CorridorEnd
    least: Money
    most: Money

    def takes(self, money: Money) -> bool:
        return self.least.minor <= money.minor <= self.most.minor


def available(business_pk: int, tier: str) -> list[OpenCorridor]:
    """Return the corridors open today to this business at its tier."""
    held = held_currencies(business_pk)
    return [one for one in _open_to(tier) if one.source_currency in held]


def require(
    money: Money,
    country: str,
    business_pk: int,
    tier: str,
    *,
    currency: str = "",
    destination: str = _DESTINATION,
) -> None:
    """Raise NoProvider if no corridor is open for an amount. `currency` is the destination's.

    `destination` is the request field that contains the destination.
    """
    wanted = {(money, country): ""}
    require_each(wanted, business_pk, tier, currency=currency, destination=destination)


def require_each(
    wanted: Mapping[tuple[Money, str], str],
    business_pk: int,
    tier: str,
    *,
    currency: str = "",
    destination: str = _DESTINATION,
) -> None:
    """Raise NoProvider if no corridor is open for one of these amounts to its country.

    The values are the paths of the amounts in the request, such as `items/0/`.
    """
    held, corridors = held_currencies(business_pk), _open_to(tier)
    for (money, country), place in wanted.items():
        sources = [one for one in corridors if one.source_currency == money.currency]
        if money.currency not in held or not sources:
            raise CurrencyNotAvailable(money.currency, field="currency")
        there = [
            one
            for one in sources
            if one.end.country == country and currency in ("", one.end.currency)
        ]
        if not any(one.takes(money) for one in there):
            field, reason = ("amount", "amount_not_carried") if there else (destination, _NOWHERE)
            said = f"There is no corridor for {money} to {country}."
            raise NoProvider(said, field=f"{place}{field}", reason=reason)


def _open_to(tier: str) -> list[OpenCorridor]:
    today = clock.now().date()
    restricted = refusing.current().countries(on=today)
    found = in_use.current(FILES)
    most = found.max_amount.get(tier.lower(), found.max_amount[_STRICTEST])
    return [
        OpenCorridor(source, end, Money.parse(found.min_amount, source), Money.parse(most, source))
        for source in found.sources
        for end in found.destinations
        if end.country not in restricted
    ]
