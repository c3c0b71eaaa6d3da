"""Approvals that a signed pack needs, by tier: HIGH needs two from compliance."""

from agreements.lifecycle import DecisionRole
from onboarding.tiers import Tier

APPROVERS = (DecisionRole.COMPLIANCE, DecisionRole.COMMERCIAL, DecisionRole.LEGAL)


def required_approvals(tier: str) -> dict[str, int]:
    """Return how many approvals of each role a tier needs."""
    return {
        role: 2 if role == DecisionRole.COMPLIANCE and tier == Tier.HIGH else 1
        for role in APPROVERS
    }
