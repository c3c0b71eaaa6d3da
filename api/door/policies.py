"""How much, how fast: the limits of each environment and tier, as data."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

LARGEST_LEASE = 20


@dataclass(frozen=True)
class Policy:
    """A rate per second with a burst. GCRA: `burst` tokens that refill at `rate` a second."""

    name: str
    rate: float
    burst: int

    @property
    def increment(self) -> float:
        """Seconds that one request costs."""
        return 1 / self.rate

    @property
    def lease(self) -> int:
        """Tokens fetched at once. Few enough that unspent ones are not missed."""
        return max(1, min(LARGEST_LEASE, self.burst // 20, int(self.rate / 4)))


Limits = Mapping[str, Policy]


def _limits(**numbers: tuple[float, int]) -> Limits:
    return {name: Policy(name, rate, burst) for name, (rate, burst) in numbers.items()}


SANDBOX = _limits(default=(25, 50), endpoint=(10, 20), financial=(5, 10), quotes=(5, 10))
LIVE = {
    "HIGH": _limits(default=(25, 50), endpoint=(10, 20), financial=(2, 10), quotes=(5, 10)),
    "MEDIUM": _limits(default=(50, 100), endpoint=(25, 50), financial=(5, 20), quotes=(10, 20)),
    "LOW": _limits(default=(100, 200), endpoint=(25, 50), financial=(10, 40), quotes=(10, 20)),
}
REFUSALS = Policy("refusals", 10, 10)
# Per address; 30 a minute.
AUTH_FAILURES = Policy("auth-failures", 0.5, 30)


def limits_for(environment: str, tier: str) -> Limits:
    """Return the limits of a business. An unknown tier is treated as the riskiest."""
    return SANDBOX if environment == "sandbox" else LIVE.get(tier, LIVE["HIGH"])


@lru_cache(maxsize=256)
def policy_header(policies: tuple[Policy, ...]) -> str:
    """Write `RateLimit-Policy`."""
    return ", ".join(f'"{policy.name}";q={policy.rate:g};w=1' for policy in policies)
