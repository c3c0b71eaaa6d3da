"""Interface to outside providers, and their possible answers."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from enum import Enum, auto
from typing import Protocol

from console.core.money import Money
from console.core.refusals import Refused


class ProviderOutcome(Enum):
    """Outcome of a payment instruction."""

    DONE = auto()
    FAILED = auto()
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


class Provider(Protocol):
    """An outside provider of the services that operations need."""

    # Time until completion if an outcome is WAITS.
    wait: timedelta

    def new_address(self, network: str, name: str) -> str:
        """Return a unique address on that network; `name` always gives the same address."""

    def instruct(self, money: Money, *, tries: int) -> ProviderOutcome:
        """Return the outcome of a payment, or refuse it. `tries` counts attempts with its key."""

    def issue_account(self, number: int) -> IssuedAccount:
        """Open the account with that sequence number, which identifies it in later calls."""

    def identify(self, query: IdentityQuery, *, tries: int) -> IdentityOutcome:
        """Return what a register knows of a document. Raises ProviderAway."""

    def issue_card(self, reference: str, label: str, *, tries: int) -> IssuedCard:
        """Return the issued card of that reference. Raises ProviderAway until it is confirmed.

        The same reference always gives the same card.
        """

    def hold_service(self, recipient: str) -> None:
        """Reserve a digital service for a recipient, or raise StockConflict."""

    def hold_seats(self, last_names: Iterable[str]) -> None:
        """Reserve a seat for each passenger, or raise StockConflict."""
