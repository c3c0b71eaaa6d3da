"""Which corridors are open to a business at this moment: from a versioned file, never from a row.

What the list names is accepted by transfers and payouts, and nothing that it leaves out. A country
that the list of restrictions in force names is never in it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic.dataclasses import dataclass as typed

from api.providers.provider import NoProvider
from api.resources import dated_files
from api.resources.dated_files import DatedFile
from console.core import clock
from console.core.money import CURRENCIES, Money
from console.publishing.files import STRICT, JsonFiles
from onboarding.restrictions import refusing

_FOLDER = Path(__file__).parent / "data"
# Whoever has no tier that the file names gets what the strictest one gets.
_STRICTEST = "high"


@typed(frozen=True, config=STRICT, kw_only=True)
class CorridorEnd:
    """Where money can arrive, in which currency, and how."""

    country: str
    currency: str
    rails: tuple[str, ...]
    delivery_estimate: str


@typed(frozen=True, config=STRICT, kw_only=True)
class CorridorFile(DatedFile):
    """One version of the corridors."""

    sources: tuple[str, ...]
    min_amount: str
    max_amount: dict[str, str]
    destinations: tuple[CorridorEnd, ...]


def _unusable(found: CorridorFile) -> Iterator[str]:
    if _STRICTEST not in found.max_amount:
        yield f"The corridors name no most of the tier {_STRICTEST}."
    for code in (*found.sources, *(end.currency for end in found.destinations)):
        if code not in CURRENCIES or CURRENCIES[code].opt_in:
            yield f"{code} is no currency that every business holds."


FILES = JsonFiles(
    "corridors",
    "Corridors",
    "api.corridors.v1",
    CorridorFile,
    _FOLDER,
    prefix="corridors-",
    faults=_unusable,
)


@dataclass(frozen=True)
class OpenCorridor:
    """From one currency to another country and its currency, with the least and the most."""

    source_currency: str
    end: CorridorEnd
    least: Money
    most: Money

    def takes(self, money: Money, country: str) -> bool:
        return (
            self.source_currency == money.currency
            and self.end.country == country
            and self.least.minor <= money.minor <= self.most.minor
        )


def available(tier: str) -> list[OpenCorridor]:
    """Return the corridors that are open to a business of that tier today."""
    today = clock.now().date()
    restricted = refusing.current().countries(on=today)
    found = dated_files.in_force(FILES, today)
    most = found.max_amount.get(tier.lower(), found.max_amount[_STRICTEST])
    return [
        OpenCorridor(source, end, Money.parse(found.min_amount, source), Money.parse(most, source))
        for source in found.sources
        for end in found.destinations
        if end.country not in restricted
    ]


def require(money: Money, country: str, tier: str, *, currency: str = "") -> OpenCorridor:
    """Return the corridor for an amount, or raise NoProvider. `currency` is what arrives."""
    for corridor in available(tier):
        if corridor.takes(money, country) and currency in ("", corridor.end.currency):
            return corridor
    raise NoProvider(f"No corridor takes {money} to {country}.")
