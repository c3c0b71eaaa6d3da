"""Exchange rates of every currency pair, from a versioned file."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal, InvalidOperation

from django.utils.translation import gettext_noop
from pydantic.dataclasses import dataclass as typed

from api.payments.commercial_files import FOLDER, CommercialFile
from api.providers.interface import CurrencyNotAvailable, NoProvider
from console.core.money import CURRENCIES, Money
from console.publishing import in_use
from console.publishing.files import STRICT, JsonFiles

DOLLAR = "USD"
# Round the rate before the amount, so that amounts are converted at exactly the published rate.
_DIGITS = 10
_EXACT = Context(prec=60, rounding=ROUND_HALF_EVEN)


@typed(frozen=True, config=STRICT, kw_only=True)
class ExchangeRateFile(CommercialFile):
    """One version of the rates: units of each currency per US dollar, as decimal strings."""

    per_dollar: dict[str, str]

    def between(self, base: str, quote: str, rounding: str = ROUND_FLOOR) -> "ExchangeRate":
        """Return the rate of two currencies that we support; it is 1 if they are the same.

        Round down for a caller who sells `base`, and up for one who buys it.
        """
        units = Decimal(self.per_dollar[quote]), Decimal(self.per_dollar[base])
        return ExchangeRate(base, quote, Context(prec=_DIGITS, rounding=rounding).divide(*units))

    def of_pair(
        self,
        base: str,
        quote: str,
        currencies: list[str],
        rounding: str = ROUND_FLOOR,
        *,
        fields: tuple[str, str] = ("from", "to"),
    ) -> "ExchangeRate":
        """Return the rate of two of these currencies, or raise NoProvider. See `between`.

        `fields` are what the two are called in the request.
        """
        for currency, field in zip((base, quote), fields, strict=True):
            if currency not in currencies:
                raise CurrencyNotAvailable(currency, field=field)
        if base == quote:
            said = f"You cannot exchange {base} for {quote}."
            raise NoProvider(said, field=fields[1], reason="no_rate")
        return self.between(base, quote, rounding)


def _unusable(found: ExchangeRateFile) -> Iterator[str]:
    for code in sorted(CURRENCIES.keys() ^ found.per_dollar.keys()):
        yield f"{code} is no currency that we hold, or has no rate."
    for code, units in found.per_dollar.items():
        try:
            good = Decimal(units).is_finite() and Decimal(units) > 0
        except InvalidOperation:
            good = False
        if not good:
            yield f"The rate of {code} is no number above zero."
    if found.per_dollar.get(DOLLAR) != "1":
        yield "One US dollar is one US dollar."


FILES = JsonFiles(
    "exchange_rates",
    gettext_noop("Exchange rates"),
    "api.exchange_rates.v1",
    ExchangeRateFile,
    FOLDER,
    prefix="exchange-rates-",
    faults=_unusable,
)


@dataclass(frozen=True)
class ExchangeRate:
    """Units of `quote` for one unit of `base`."""

    base: str
    quote: str
    value: Decimal

    @property
    def text(self) -> str:
        """Return a decimal string without trailing zeros."""
        return f"{self.value.normalize():f}"

    def convert(self, money: Money, rounding: str) -> Money:
        """Return the value of an amount of `base`, rounded to the exponent of `quote`."""
        shift = CURRENCIES[self.quote].exponent - CURRENCIES[self.base].exponent
        product = _EXACT.multiply(Decimal(money.minor), self.value)
        minor = _EXACT.scaleb(product, shift).to_integral_value(rounding)
        return Money(int(minor), self.quote)


def current() -> ExchangeRateFile:
    """Return the rates in use now."""
    return in_use.current(FILES)
