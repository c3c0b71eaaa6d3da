"""Simulated provider of the sandbox: moves no money, and reacts to test values.

`MAGIC_VALUES` lists the test values, also for the documentation.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256

from stdnum import iban

from api.providers.blockchains import NETWORKS
from api.providers.interface import (
    CardOrder,
    IdentityOutcome,
    IdentityQuery,
    InsufficientBalance,
    IssuedAccount,
    IssuedCard,
    NoProvider,
    ProviderAway,
    ProviderOutcome,
    StockConflict,
)
from apikeys.lifecycle import Environment
from console.core import clock
from console.core.money import CURRENCIES, Money

WAIT = timedelta(seconds=5)
_TRIES_AWAY = 2
PENDING_ISSUER, _TRIES_PENDING = "pending-issuer", 3
MATCH, LISTED = "Possible Match", "Listed Person"
_YEARS_OF_A_CARD = 3
BANK = "Sandbox Bank"
# A bank code of Lithuania that no bank has.
_NO_BANK = "99999"
# Gives distinct results below 10**9, because the factor shares no divisor with it.
_NUMBERS, _FACTOR = 10**9, 618_033_989


@dataclass(frozen=True)
class MagicValue:
    """A test value of a request field, and its effect in the sandbox.

    `value` is the pattern of the field, and `effect` the resulting code or status.
    """

    member: str
    value: str
    effect: str
    words: str


MAGIC_VALUES = (
    MagicValue("amount", "*.41", "INSUFFICIENT_BALANCE", "The balance is treated as too low."),
    MagicValue("amount", "*.42", "NO_PROVIDER_ENABLED", "No provider is available."),
    MagicValue(
        "amount",
        "*.43",
        "PROVIDER_UNAVAILABLE",
        f"The provider is unavailable for the first {_TRIES_AWAY} attempts. The next with the same"
        " `Idempotency-Key` succeeds.",
    ),
    MagicValue(
        "amount",
        "*.44",
        "failed",
        "The provider refuses the operation, and the money is returned.",
    ),
    MagicValue(
        "amount", "*.45", "pending", f"The operation completes after {WAIT.seconds} seconds."
    ),
    MagicValue(
        "account_name",
        MATCH,
        "pending",
        "The name resembles one on a sanctions list. A reviewer clears the payment after"
        f" {WAIT.seconds} seconds.",
    ),
    MagicValue(
        "account_name",
        LISTED,
        "failed",
        "The name is on a sanctions list: `failure` is `compliance_blocked`, and the money stays"
        " reserved.",
    ),
    MagicValue(
        "label",
        PENDING_ISSUER,
        "PROVIDER_UNAVAILABLE",
        f"The card issuer does not confirm the card for the first {_TRIES_PENDING} attempts. The"
        " next with the same `Idempotency-Key` returns the same card.",
    ),
    MagicValue("country", "KP", "COMPLIANCE_BLOCKED", "The country is always restricted."),
    MagicValue("number", "*001", "not_found", "No register has the document."),
    MagicValue("number", "*002", "mismatch", "The document belongs to somebody else."),
    MagicValue(
        "number",
        "*003",
        "PROVIDER_UNAVAILABLE",
        f"The register is unavailable for the first {_TRIES_AWAY} attempts with the same"
        " `Idempotency-Key`.",
    ),
    MagicValue(
        "number",
        "*004",
        "pending",
        f"The register confirms the document after {WAIT.seconds} seconds.",
    ),
    MagicValue("recipient", "*000", "STOCK_CONFLICT", "The digital service is sold out."),
    MagicValue(
        "last_name", "Soldout", "STOCK_CONFLICT", "The passenger’s seat is no longer available."
    ),
)


class SimulatedProvider:
    """A deterministic provider: the request determines the outcome."""

    # Time until completion if an outcome is WAITS.
    wait = WAIT

    def new_address(self, network: str, name: str) -> str:
        """Return an address derived from `name`. Nobody has its private key."""
        return NETWORKS[network].form.write(sha256(name.encode()).digest())

    def instruct(self, money: Money, names: Iterable[str], *, tries: int) -> ProviderOutcome:
        """Act on the first two decimal digits of the amount, and on whom it names.

        Here and below, `tries` counts attempts with the same key.
        """
        match _hundredths(money):
            case 41:
                raise InsufficientBalance("Simulated: the amount is a test value.")
            case 42:
                raise NoProvider(
                    "Simulated: the amount is a test value.", field="amount", reason="test_value"
                )
            case 43 if tries < _TRIES_AWAY:
                raise ProviderAway("Simulated: the amount is a test value.")
            case 44:
                return ProviderOutcome.FAILED
            case 45:
                return ProviderOutcome.WAITS
        if LISTED in names:
            return ProviderOutcome.BLOCKED
        return ProviderOutcome.WAITS if MATCH in names else ProviderOutcome.DONE

    def issue_account(self, number: int, currency: str) -> IssuedAccount:
        """Return a unique ten-digit number for the account of that sequence number.

        Accounts in EUR have an IBAN, of Lithuania and of a bank that does not exist.
        """
        digits = f"9{number * _FACTOR % _NUMBERS:09}"
        if currency == "EUR":
            digits = f"{_NO_BANK}{digits:0>11}"
            digits = f"LT{iban.calc_check_digits(f'LT00{digits}')}{digits}"
        return IssuedAccount(digits, BANK)

    def identify(self, query: IdentityQuery, *, tries: int) -> IdentityOutcome:
        """Act on the last three characters of the number."""
        match query.number[-3:]:
            case "001":
                return IdentityOutcome.NOT_FOUND
            case "002":
                return IdentityOutcome.MISMATCH
            case "003" if tries < _TRIES_AWAY:
                raise ProviderAway("Simulated: the document number is a test value.")
            case "004":
                return IdentityOutcome.WAITS
        return IdentityOutcome.CONFIRMED

    def issue_card(self, order: CardOrder, *, tries: int) -> IssuedCard:
        """Derive the last digits from the ID; the label can keep the issuer pending."""
        if order.label == PENDING_ISSUER and tries < _TRIES_PENDING:
            raise ProviderAway("Simulated: the label is a test value.")
        digits = int.from_bytes(sha256(order.card_id.encode()).digest()[:4]) % 10_000
        today = clock.now()
        return IssuedCard(f"{digits:04}", today.month, today.year + _YEARS_OF_A_CARD)

    def hold_service(self, recipient: str) -> None:
        """Act on the last three characters of the recipient."""
        if recipient.endswith("000"):
            raise StockConflict("Simulated: the recipient is a test value.")

    def hold_seats(self, last_names: Iterable[str]) -> None:
        """Act on the last names."""
        if "Soldout" in last_names:
            raise StockConflict("Simulated: a last name is a test value.")


def _hundredths(money: Money) -> int:
    """Return the first two decimal digits, or 0 if other digits follow them."""
    hundredths, rest = divmod(money.minor, 10 ** (CURRENCIES[money.currency].exponent - 2))
    return 0 if rest else hundredths % 100


def provider_for(environment: str) -> SimulatedProvider:
    """Return the sandbox's provider, or raise NoProvider."""
    if environment != Environment.SANDBOX:
        raise NoProvider("No provider is connected.", reason="not_connected")
    return SimulatedProvider()
