"""Reuse of a reviewer's decision on a match while the match is unchanged."""

from dataclasses import replace

from console.core import clock
from onboarding.checks import required_checks
from onboarding.checks.providers import CheckResult, Inquiry
from onboarding.lifecycle import CheckStatus
from onboarding.models import Check


def standing(check: Check, finding: CheckResult) -> Check | None:
    """Return the earlier submission's check whose decision applies to this finding, or None.

    The same provider must have found the same entry, with the same content, for the same details.
    An expired decision is not reused. Nor is any decision if a reviewer has already acted on this
    check.
    """
    if finding.status != CheckStatus.NEEDS_REVIEW or not check.evidence or check.acts.exists():
        return None
    decided = Check.objects.filter(
        application=check.application,
        kind=check.kind,
        provider=check.provider,
        simulated=check.simulated,
        evidence=check.evidence,
        decided_by__isnull=False,
    )
    particulars = _particulars(check)
    rows = decided.exclude(pk=check.pk).select_related("submission", "decided_by")
    same = (row for row in rows.order_by("-decided_at", "-pk") if _particulars(row) == particulars)
    newest = next(same, None)
    if newest is not None and newest.status == CheckStatus.PASSED and "matches" in check.evidence:
        return None  # cleared matches are left out already, so one of these is open
    return newest if newest is not None and _is_in_force(newest) else None


def _particulars(check: Check) -> Inquiry:
    return replace(required_checks.inquiry_of(check), business_name="", attempt=0)


def _is_in_force(decided: Check) -> bool:
    if decided.status == CheckStatus.FAILED:
        return True
    until = decided.valid_until
    return decided.status == CheckStatus.PASSED and until is not None and until > clock.now()
