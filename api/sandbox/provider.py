"""What we ask of whoever does it outside, and what they may answer."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from enum import Enum, auto
from typing import Protocol

from console.core.money import Money
from console.core.refusals import Refused


class ProviderOutcome(Enum):
    """What becomes of an instruction."""

    DONE = auto()
    FAILED = auto()
    WAITS = auto()


@dataclass(frozen=True)
class IssuedAccount:
    """An account as the provider has opened it."""

    number: str
    bank: str


class IdentityOutcome(Enum):
    """What a register says about a document."""

    CONFIRMED = auto()
    MISMATCH = auto()
    NOT_FOUND = auto()
    WAITS = auto()


@dataclass(frozen=True)
class IdentityQuery:
    """Whose document is asked about; without a name, only whether there is such a document."""

    type: str
    country: str
    number: str = field(repr=False)
    name: str = field(repr=False)


@dataclass(frozen=True)
class IssuedCard:
    """As much of a card as its issuer tells us."""

    last4: str
    expiry_month: int
    expiry_year: int


class InsufficientBalance(Refused):
    """There is less than is asked for."""

    code = "INSUFFICIENT_BALANCE"


class StockConflict(Refused):
    """There is not enough of it, or it is gone."""

    code = "STOCK_CONFLICT"


class NoProvider(Refused):
    """No provider is available."""

    code = "NO_PROVIDER_ENABLED"


class CurrencyNotAvailable(NoProvider):
    """The business does not hold the currency or asset."""

    reason = "currency_not_available"

    def __init__(self, currency: str, *, field: str = "") -> None:
        super().__init__(f"{currency} is not available to your business.", field=field)


class ProviderAway(Refused):
    """The provider does not answer just now."""

    code = "PROVIDER_UNAVAILABLE"


class Provider(Protocol):
    """Who does outside what an operation asks for."""

    # How long it takes where an outcome is WAITS.
    wait: timedelta

    def new_address(self, network: str, name: str) -> str:
        """Return an address of that network which nobody else has. `name` names it for ever."""

    def instruct(self, money: Money, *, tries: int) -> ProviderOutcome:
        """Say what becomes of this amount, or refuse. `tries` counts those before, with its key."""

    def issue_account(self, number: int) -> IssuedAccount:
        """Open the account that is the number-th of all, which names it wherever we ask again."""

    def identify(self, query: IdentityQuery, *, tries: int) -> IdentityOutcome:
        """Say what a register knows of a document, or raise ProviderAway."""

    def issue_card(self, reference: str, label: str, *, tries: int) -> IssuedCard:
        """Confirm the card of that reference, or raise ProviderAway while it is not confirmed.

        The same reference is the same card, however often it is asked for.
        """

    def hold_service(self, recipient: str) -> None:
        """Hold a digital service for somebody, or raise StockConflict."""

    def hold_seats(self, last_names: Iterable[str]) -> None:
        """Hold a seat for each passenger, or raise StockConflict."""
