"""Which limits a caller has, each with the bucket that counts it. Worked out once for a caller."""

from api.gateway.operations import Operation
from api.gateway.rate_limits import ConcurrencyPolicy, Policy, RateLimits

# A bucket, and the limit that it is of.
NamedPolicy = tuple[str, Policy]


class CallerLimits:
    """The limits of a business in one environment: a business has one set for all of its keys."""

    def __init__(
        self, rate_limits: RateLimits, environment: str, business_pk: int, tier: str
    ) -> None:
        self._limits = rate_limits.of(environment, tier)
        self._whose = f"{environment}:{business_pk}"
        self._of_operations: dict[str, tuple[NamedPolicy, NamedPolicy]] = {}
        at_once = rate_limits.at_once(environment, tier)
        self.at_once: tuple[str, ConcurrencyPolicy] = (self._bucket(at_once.name), at_once)
        self.refusals = self._named(rate_limits.refusals)
        self.every = (*map(self._named, self._limits.values()), self.refusals)

    def of(self, operation: Operation) -> tuple[NamedPolicy, NamedPolicy]:
        """Return of what an operation costs a token: the limit of everything, and its own."""
        found = self._of_operations.get(operation.name)
        if found is None:
            kind = operation.kind
            own = operation.name if kind == "endpoint" else kind
            everything = self._named(self._limits["default"])
            found = everything, (self._bucket(own), self._limits[kind])
            self._of_operations[operation.name] = found
        return found

    def _named(self, policy: Policy) -> NamedPolicy:
        return self._bucket(policy.name), policy

    def _bucket(self, name: str) -> str:
        return f"{name}:{self._whose}"
