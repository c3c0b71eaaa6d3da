"""The provider of the sandbox: it moves nothing, and does what the amount says (operations.md).

The first two digits behind the point choose; `MAGIC_AMOUNTS` says what.
"""

from datetime import timedelta
from enum import Enum, auto

from console.core.money import CURRENCIES, Money
from console.core.refusals import Refused

WAIT = timedelta(seconds=5)
_TRIES_AWAY = 2
# Each of the digits that choose, in words for integrators.
MAGIC_AMOUNTS = {
    41: "Is refused with `INSUFFICIENT_BALANCE`, whatever the balance holds.",
    42: "Is refused with `NO_PROVIDER_ENABLED`.",
    43: f"Is refused with `PROVIDER_UNAVAILABLE` for the first {_TRIES_AWAY} tries. The next with"
    " the same `Idempotency-Key` is done.",
    44: "Is accepted and fails at once; the money is back.",
    45: f"Stays pending for {WAIT.seconds} seconds, and is then done.",
}


class ProviderOutcome(Enum):
    """What becomes of an instruction."""

    DONE = auto()
    FAILED = auto()
    WAITS = auto()


class InsufficientBalance(Refused):
    """There is less than is asked for."""

    code = "INSUFFICIENT_BALANCE"


class NoProvider(Refused):
    """Nobody is switched on who could do it."""

    code = "NO_PROVIDER_ENABLED"


class ProviderAway(Refused):
    """The provider does not answer just now."""

    code = "PROVIDER_UNAVAILABLE"


def outcome(money: Money, *, tries: int) -> ProviderOutcome:
    """Return what becomes of this amount, or refuse. `tries` counts those before, with its key."""
    match _magic(money):
        case 41:
            raise InsufficientBalance("The amount says so.")
        case 42:
            raise NoProvider("The amount says so.")
        case 43 if tries < _TRIES_AWAY:
            raise ProviderAway("The amount says so.")
        case 44:
            return ProviderOutcome.FAILED
        case 45:
            return ProviderOutcome.WAITS
    return ProviderOutcome.DONE


def _magic(money: Money) -> int:
    """Return the first two digits behind the point; 0 where more than they stand there."""
    hundredths, rest = divmod(money.minor, 10 ** (CURRENCIES[money.currency].exponent - 2))
    return 0 if rest else hundredths % 100
