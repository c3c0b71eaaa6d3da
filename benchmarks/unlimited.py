"""Rate limits so high that nothing is refused, with the counting unchanged: for load and tests."""

from api.rate_limits import Policy, RateLimits, limits

_PLENTY = 1_000_000
_LIMITS = limits(
    **dict.fromkeys(("default", "endpoint", "financial", "quotes"), (_PLENTY, _PLENTY))
)
UNLIMITED = RateLimits(
    sandbox=_LIMITS,
    live={"HIGH": _LIMITS},
    refusals=Policy("refusals", _PLENTY, _PLENTY),
    auth_failures=Policy("auth-failures", _PLENTY, _PLENTY),
)
