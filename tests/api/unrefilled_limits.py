"""Limits that do not refill while a test counts."""

from dataclasses import replace

from api.rate_limits import RATE_LIMITS, Policy


def unrefilled(policy: Policy) -> Policy:
    return replace(policy, rate=policy.rate / 1_000_000)


UNREFILLED = replace(
    RATE_LIMITS,
    sandbox={name: unrefilled(policy) for name, policy in RATE_LIMITS.sandbox.items()},
    refusals=unrefilled(RATE_LIMITS.refusals),
    auth_failures=unrefilled(RATE_LIMITS.auth_failures),
)
