"""Rate limits of each environment and tier, as data."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

from console.core import gcra


@dataclass(frozen=True)
class Policy:
    """A rate per second with a burst (GCRA): `burst` tokens, refilled at `rate` per second."""

    name: str
    rate: float
    burst: int
    # Seconds that the quota covers.
    window: ClassVar[int] = 1

    @cached_property
    def header(self) -> str:
        """Return this policy's part of `RateLimit-Policy`."""
        return f'"{self.name}";q={self.rate:g};w=1'

    @cached_property
    def cost(self) -> float:
        """Seconds until one token is refilled."""
        return 1 / self.rate

    @property
    def quota(self) -> float:
        return self.rate

    def state(self, ahead: float, *, admitted: bool) -> "LimitState":
        """Return the state of a bucket that will be full again in `ahead` seconds."""
        if not admitted:
            wait = max(0.0, gcra.wait(ahead, self.burst, self.cost))
            return LimitState(self, admitted=False, remaining=0, wait=wait)
        left = int(gcra.room(ahead, self.burst, self.cost))
        return LimitState(
            self, admitted=True, remaining=max(0, min(int(self.rate), left)), wait=0.0
        )


class LimitState(NamedTuple):
    """A bucket's state: whether it admits a call, what remains, and the seconds to wait."""

    policy: Policy
    admitted: bool
    remaining: int
    wait: float


Limits = Mapping[str, Policy]


@dataclass(frozen=True)
class RateLimits:
    """All limits: sandbox, live by tier, refusals, and failed authentication."""

    sandbox: Limits
    live: Mapping[str, Limits]
    refusals: Policy
    auth_failures: Policy

    def of(self, environment: str, tier: str) -> Limits:
        """Return the limits of a business. An unknown tier gets those of HIGH."""
        return self.sandbox if environment == "sandbox" else self.live.get(tier, self.live["HIGH"])


def limits(**numbers: tuple[float, int]) -> Limits:
    """Return policies by name from (rate, burst) pairs."""
    return {name: Policy(name, rate, burst) for name, (rate, burst) in numbers.items()}


RATE_LIMITS = RateLimits(
    sandbox=limits(default=(25, 50), endpoint=(10, 20), financial=(5, 10), quotes=(5, 10)),
    live={
        "HIGH": limits(default=(25, 50), endpoint=(10, 20), financial=(2, 10), quotes=(5, 10)),
        "MEDIUM": limits(default=(50, 100), endpoint=(25, 50), financial=(5, 20), quotes=(10, 20)),
        "LOW": limits(default=(100, 200), endpoint=(25, 50), financial=(10, 40), quotes=(10, 20)),
    },
    refusals=Policy("refusals", 10, 10),
    # Per address; 30 per minute.
    auth_failures=Policy("auth-failures", 0.5, 30),
)
