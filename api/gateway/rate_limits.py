"""How much, how fast: the limits of each environment and tier, as data (keys-and-api 3.4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

LARGEST_LEASE = 50
# Nothing is fetched ahead where a lease is smaller.
_LEAST_AHEAD = 4


@dataclass(frozen=True)
class Policy:
    """A rate per second with a burst. GCRA: `burst` tokens that refill at `rate` a second."""

    name: str
    rate: float
    burst: int
    # The seconds that the quota is for.
    window: ClassVar[int] = 1

    @cached_property
    def header(self) -> str:
        """Return this policy's part of `RateLimit-Policy`."""
        return f'"{self.name}";q={self.rate:g};w=1'

    @cached_property
    def cost(self) -> float:
        """Seconds until one request comes back."""
        return 1 / self.rate

    @cached_property
    def quota(self) -> float:
        return self.rate

    @cached_property
    def lease(self) -> int:
        """Tokens fetched at once. Few enough that unspent ones are not missed."""
        return max(1, min(LARGEST_LEASE, self.burst // 20, int(self.rate / 4)))

    @cached_property
    def half_lease(self) -> int:
        """Return with how many tokens left the next lease may be fetched; -1 for never."""
        return self.lease // 2 if self.lease >= _LEAST_AHEAD else -1

    @cached_property
    def untouched(self) -> "LimitState":
        """Return how a bucket stands that nobody has taken from."""
        return LimitState(self, admitted=True, remaining=int(self.rate), wait=0.0)


@dataclass(frozen=True)
class ConcurrencyPolicy:
    """How many calls may be in flight at once, over all processes."""

    most: int
    name: str = "concurrent"
    # It counts calls in no time at all.
    window: ClassVar[int] = 0

    @cached_property
    def header(self) -> str:
        """Return this policy's part of `RateLimit-Policy`."""
        return f'"{self.name}";q={self.most};qu="concurrent-requests"'

    @cached_property
    def quota(self) -> int:
        return self.most

    @cached_property
    def spare(self) -> int:
        """Places that a process takes beside the one it needs."""
        return self.most // 10


class LimitState(NamedTuple):
    """How a bucket stands: whether it admits, what is left, and the seconds to wait."""

    policy: Policy | ConcurrencyPolicy
    admitted: bool
    remaining: int
    wait: float


Limits = Mapping[str, Policy]


@dataclass(frozen=True)
class RateLimits:
    """All limits: of the sandbox, of each tier in live, of refusals, and of failed keys.

    `concurrent` holds the limit of calls at once of the `sandbox`, and of each tier in live.
    """

    sandbox: Limits
    live: Mapping[str, Limits]
    refusals: Policy
    auth_failures: Policy
    concurrent: Mapping[str, ConcurrencyPolicy]

    def of(self, environment: str, tier: str) -> Limits:
        """Return the limits of a business. An unknown tier is treated as the riskiest."""
        return self.sandbox if environment == "sandbox" else self.live.get(tier, self.live["HIGH"])

    def at_once(self, environment: str, tier: str) -> ConcurrencyPolicy:
        """Return how many calls of a business may be in flight."""
        found = self.concurrent.get("sandbox" if environment == "sandbox" else tier)
        return found or self.concurrent["HIGH"]


def limits(**numbers: tuple[float, int]) -> Limits:
    """Build limits from rate and burst by name."""
    return {name: Policy(name, rate, burst) for name, (rate, burst) in numbers.items()}


RATE_LIMITS = RateLimits(
    sandbox=limits(default=(25, 50), endpoint=(10, 20), financial=(5, 10), quotes=(5, 10)),
    live={
        "HIGH": limits(default=(25, 50), endpoint=(10, 20), financial=(2, 10), quotes=(5, 10)),
        "MEDIUM": limits(default=(50, 100), endpoint=(25, 50), financial=(5, 20), quotes=(10, 20)),
        "LOW": limits(default=(100, 200), endpoint=(25, 50), financial=(10, 40), quotes=(10, 20)),
    },
    refusals=Policy("refusals", 10, 10),
    # Per address; 30 a minute.
    auth_failures=Policy("auth-failures", 0.5, 30),
    concurrent={
        "sandbox": ConcurrencyPolicy(10),
        "HIGH": ConcurrencyPolicy(10),
        "MEDIUM": ConcurrencyPolicy(20),
        "LOW": ConcurrencyPolicy(50),
    },
)
