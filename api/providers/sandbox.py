"""The provider of the sandbox: it moves nothing, and does what the request says (operations.md).

`MAGIC_VALUES` is the one list of what can be said; documentation pages read it too.
"""

import hashlib
from dataclasses import dataclass
from datetime import timedelta

from api.providers.networks import NETWORKS
from api.providers.provider import (
    InsufficientBalance,
    NoProvider,
    ProviderAway,
    ProviderOutcome,
)
from console.core.money import CURRENCIES, Money

WAIT = timedelta(seconds=5)
_TRIES_AWAY = 2


@dataclass(frozen=True)
class MagicValue:
    """What a member of a request makes the sandbox do.

    `value` is how the member is written, `effect` the code or the status that comes of it.
    """

    member: str
    value: str
    effect: str
    words: str


MAGIC_VALUES = (
    MagicValue(
        "amount", "*.41", "INSUFFICIENT_BALANCE", "The balance is too low, whatever it holds."
    ),
    MagicValue("amount", "*.42", "NO_PROVIDER_ENABLED", "Nobody is switched on who could do it."),
    MagicValue(
        "amount",
        "*.43",
        "PROVIDER_UNAVAILABLE",
        f"The provider is away for the first {_TRIES_AWAY} tries; the next with the same"
        " `Idempotency-Key` is done.",
    ),
    MagicValue("amount", "*.44", "failed", "The provider refuses it, and the money comes back."),
    MagicValue(
        "amount", "*.45", "pending", f"It waits for {WAIT.seconds} seconds, and is completed then."
    ),
    MagicValue("country", "KP", "COMPLIANCE_BLOCKED", "The country is always restricted."),
)


class SandboxProvider:
    """Deterministic: what becomes of an instruction stands in the instruction."""

    wait = WAIT

    def new_address(self, network: str, name: str) -> str:
        """Write an address that is made of its name. Nobody holds its key."""
        return NETWORKS[network].form.write(hashlib.sha256(name.encode()).digest())

    def instruct(self, money: Money, *, tries: int) -> ProviderOutcome:
        """Do what the first two digits behind the point say."""
        match _hundredths(money):
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


def _hundredths(money: Money) -> int:
    """Return the first two digits behind the point; 0 where more than they stand there."""
    hundredths, rest = divmod(money.minor, 10 ** (CURRENCIES[money.currency].exponent - 2))
    return 0 if rest else hundredths % 100
