"""The provider of the sandbox: it moves nothing, and does what the amount says (operations.md).

The first two digits behind the point choose: `.41` is a balance that is too low, `.42` no provider,
`.43` a provider that is away until the third try, `.44` a failure, `.45` five seconds of waiting.
"""

from datetime import timedelta
from enum import Enum, auto

from console.core.money import CURRENCIES, Money
from console.core.refusals import Refused

WAIT = timedelta(seconds=5)
_TRIES_AWAY = 2


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
