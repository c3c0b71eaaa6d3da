"""Bands of countries and industries (0 to 3), and rates to compare sizes in euros."""

import json
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from functools import cache
from pathlib import Path
from typing import Any

from console.core.money import CURRENCIES

FOLDER = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Bands:
    """One version of the bands. What the list does not name is in band 0."""

    version: str
    by_country: dict[str, int]
    by_industry: dict[str, int]

    def country(self, code: str) -> int:
        return self.by_country.get(code, 0)

    def industry(self, key: str) -> int:
        return self.by_industry.get(key, 0)


@dataclass(frozen=True)
class Rates:
    """One version of the rates: euros for one unit, in millionths."""

    version: str
    euro_millionths: dict[str, int]

    def euro_cents(self, minor: int, currency: str) -> int:
        """Return an amount in minor units as whole euro cents, half to even."""
        unit = Decimal(10) ** CURRENCIES[currency].exponent
        cents = Decimal(minor) / unit * self.euro_millionths[currency] / 10_000
        return int(cents.to_integral_value(ROUND_HALF_EVEN))


@cache
def bands() -> Bands:
    """Return the newest bands."""
    body = _newest("bands")
    return Bands(body["version"], _by_member(body["countries"]), _by_member(body["industries"]))


@cache
def rates() -> Rates:
    """Return the newest rates."""
    body = _newest("rates")
    return Rates(body["version"], body["euro_millionths"])


def _newest(kind: str) -> dict[str, Any]:
    path = max(FOLDER.glob(f"{kind}-*.json"))
    body: dict[str, Any] = json.loads(path.read_text())
    return body


def _by_member(table: dict[str, list[str]]) -> dict[str, int]:
    return {member: int(band) for band, members in table.items() for member in members}
