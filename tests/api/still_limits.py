"""Limits whose tokens do not come back while a test counts, however slow the machine is."""

from dataclasses import replace

from api.gateway.rate_limits import RATE_LIMITS, Policy


def still(policy: Policy) -> Policy:
    return replace(policy, rate=policy.rate / 1_000_000)


STILL = replace(
    RATE_LIMITS,
    sandbox={name: still(policy) for name, policy in RATE_LIMITS.sandbox.items()},
    refusals=still(RATE_LIMITS.refusals),
    auth_failures=still(RATE_LIMITS.auth_failures),
)
