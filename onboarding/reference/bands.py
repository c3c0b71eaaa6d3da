"""Risk bands of countries and industries (0 to 3), and exchange rates to euros."""

from decimal import ROUND_HALF_EVEN, Decimal
from functools import cached_property
from pathlib import Path

from pydantic.dataclasses import dataclass

from console.core.marking import gettext_noop
from console.core.money import CURRENCIES
from console.publishing.files import STRICT, JsonFiles, VersionedFile

FOLDER = Path(__file__).parent / "data"


@dataclass(frozen=True, config=STRICT, kw_only=True)
class Bands(VersionedFile):
    """One version of the bands, each with its members. Everything else is in band 0."""

    note: str = ""
    countries: dict[str, tuple[str, ...]]
    industries: dict[str, tuple[str, ...]]

    @cached_property
    def by_country(self) -> dict[str, int]:
        return _by_member(self.countries)

    @cached_property
    def by_industry(self) -> dict[str, int]:
        return _by_member(self.industries)

    def country(self, code: str) -> int:
        return self.by_country.get(code, 0)

    def industry(self, key: str) -> int:
        return self.by_industry.get(key, 0)


def _by_member(table: dict[str, tuple[str, ...]]) -> dict[str, int]:
    return {member: int(band) for band, members in table.items() for member in members}


@dataclass(frozen=True, config=STRICT, kw_only=True)
class Rates(VersionedFile):
    """One version of the rates: euros for one unit, in millionths."""

    source: str = ""
    note: str = ""
    euro_millionths: dict[str, int]

    def euro_cents(self, minor: int, currency: str) -> int:
        """Convert an amount in minor units to whole euro cents, rounding half to even."""
        unit = Decimal(10) ** CURRENCIES[currency].exponent
        cents = Decimal(minor) / unit * self.euro_millionths[currency] / 10_000
        return int(cents.to_integral_value(ROUND_HALF_EVEN))


BANDS = JsonFiles(
    "risk_bands",
    gettext_noop("Bands of countries and industries"),
    "onboarding.bands.v1",
    Bands,
    FOLDER,
    prefix="bands-",
)
RATES = JsonFiles(
    "risk_rates",
    gettext_noop("Rates to compare sizes"),
    "onboarding.rates.v1",
    Rates,
    FOLDER,
    prefix="rates-",
)
