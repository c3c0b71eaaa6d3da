"""Possible answers of outside providers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from console.core.refusals import Refused


class ProviderOutcome(Enum):
    """Outcome of a payment instruction."""

    DONE = auto()
    FAILED = auto()
    BLOCKED = auto()
    WAITS = auto()


@dataclass(frozen=True)
class IssuedAccount:
    """An account as the provider opened it."""

    number: str
    bank: str


class IdentityOutcome(Enum):
    """A register's answer about a document."""

    CONFIRMED = auto()
    MISMATCH = auto()
    NOT_FOUND = auto()
    WAITS = auto()


@dataclass(frozen=True)
class IdentityQuery:
    """A query for a person's document; without a name, only whether the document exists."""

    type: str
    country: str
    number: str = field(repr=False)
    name: str = field(repr=False)


@dataclass(frozen=True)
class CardOrder:
    """What an issuer needs to issue a card. The same `card_id` always gives the same card.

    `holder` has the names, `date_of_birth`, `country` and `address` of the cardholder.
    """

    card_id: str
    business: str
    currency: str
    card_type: str
    label: str
    holder: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True)
class IssuedCard:
    """The card details that the issuer gives us."""

    last4: str
    expiry_month: int
    expiry_year: int


class InsufficientBalance(Refused):
    """Raised when there is less money than requested."""

    code = "INSUFFICIENT_BALANCE"


class StockConflict(Refused):
    """Raised when too little or nothing of it is left."""

    code = "STOCK_CONFLICT"


class NoProvider(Refused):
    """Raised when no provider is available."""

    code = "NO_PROVIDER_ENABLED"


class CurrencyNotAvailable(NoProvider):
    """The business does not hold the currency or asset."""

    reason = "currency_not_available"

    def __init__(self, currency: str, *, field: str = "") -> None:
        super().__init__(f"{currency} is not available to your business.", field=field)


class ProviderAway(Refused):
    """Raised when the provider is temporarily unavailable."""

    code = "PROVIDER_UNAVAILABLE"
