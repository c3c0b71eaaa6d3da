"""Money: integers in minor units internally, decimal strings in the API and on pages."""

import re
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True)
class Currency:
    """A currency or asset in which a balance can be held."""

    code: str
    name: str
    exponent: int
    opt_in: bool = False


CURRENCIES: dict[str, Currency] = {
    currency.code: currency
    for currency in (
        Currency("NGN", "Nigerian naira", 2),
        Currency("USD", "US dollar", 2),
        Currency("GBP", "Pound sterling", 2),
        Currency("EUR", "Euro", 2),
        Currency("CAD", "Canadian dollar", 2),
        Currency("GHS", "Ghanaian cedi", 2),
        Currency("KES", "Kenyan shilling", 2),
        Currency("ZAR", "South African rand", 2),
        Currency("CDF", "Congolese franc", 2),
        Currency("USDT", "Tether USD", 6),
        Currency("USDC", "USD Coin", 6),
        Currency("cNGN", "Compliant naira", 6, opt_in=True),
    )
}
# Assets on a blockchain.
ASSETS = ("USDT", "USDC", "cNGN")
# Refuse leading zeros, signs, exponents and digits of other scripts; do not repair them.
_DECIMAL = re.compile(r"(?:0|[1-9][0-9]{0,17})(?:\.[0-9]+)?", re.ASCII)


class NotMoney(ValueError):
    """The text is not an amount in that currency. The message is for the person who entered it."""


@dataclass(frozen=True)
class Money:
    """An amount of one currency. `minor` is in its smallest unit and may be negative."""

    minor: int
    currency: str

    @classmethod
    def parse(cls, text: str, currency: str) -> Self:
        """Parse a decimal string such as `1250.00`, or raise NotMoney."""
        if currency not in CURRENCIES:
            raise NotMoney(f"{currency} is not a currency we hold.")
        exponent = CURRENCIES[currency].exponent
        if not _DECIMAL.fullmatch(text):
            raise NotMoney("Enter an amount in digits, like 1250.00.")
        whole, _, part = text.partition(".")
        if len(part) > exponent:
            raise NotMoney(f"{currency} has at most {exponent} decimal places.")
        return cls(int(whole + part.ljust(exponent, "0")), currency)

    def decimal(self) -> str:
        """Return the amount with exactly the currency's decimal places."""
        return decimal(self.minor, self.currency)

    def grouped(self) -> str:
        """Format the amount for a page: `1,250,000.00`."""
        return grouped(self.decimal())

    def __str__(self) -> str:
        return f"{self.decimal()} {self.currency}"


def decimal(minor: int, currency: str) -> str:
    """Return minor units as a decimal string with exactly the currency's decimal places."""
    exponent = CURRENCIES[currency].exponent
    digits = str(abs(minor)).zfill(exponent + 1)
    sign = "-" if minor < 0 else ""
    return f"{sign}{digits[:-exponent]}.{digits[-exponent:]}"


def grouped(decimal: str) -> str:
    """Add thousands separators to a non-negative decimal string: `1,250,000.00`."""
    whole, point, part = decimal.partition(".")
    return f"{int(whole):,}{point}{part}"
