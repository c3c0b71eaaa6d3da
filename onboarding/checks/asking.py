"""Ask a provider, and leave one alone for a while that does not answer."""

import logging
from datetime import timedelta

from django.db.models import F

from console.core import clock
from onboarding.checks import connected, human_names, register_people, required_checks
from onboarding.checks.providers import (
    AnswersLater,
    CheckProvider,
    CheckResult,
    LaterCheckProvider,
    ListsMissing,
    ProviderDown,
)
from onboarding.lifecycle import CheckStatus
from onboarding.models import Check, ProviderOutage

log = logging.getLogger(__name__)

# After this many failures in a row we stop asking a provider, at first for PAUSE, then for twice as
# long after each further failure.
FAILURES = 5
PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=1)
# A provider that promised a result and never gave it is asked from the beginning.
LONGEST_WAIT = timedelta(days=7)
# An outage while we wait for a result must not start the check from the beginning.
PAUSE_BETWEEN_RESULTS = timedelta(minutes=5)


def ask(check: Check) -> tuple[CheckProvider, CheckResult | AnswersLater]:
    """Return the provider and its answer. Errors become a result that is retried."""
    provider = connected.provider_of(check.kind)
    try:
        _refuse_during_outage(provider)
        answer = _answer(provider, check)
    except ProviderDown as down:
        if check.reference and not _has_waited_too_long(check):
            return provider, AnswersLater(check.reference, PAUSE_BETWEEN_RESULTS)
        says = f"{down} We will try again automatically."
        return provider, CheckResult(CheckStatus.ERRORED, says)
    ProviderOutage.objects.filter(provider=provider.name).delete()
    answer = human_names.with_finding(required_checks.inquiry_of(check), answer)
    return provider, register_people.with_differences(check, answer)


def _answer(provider: CheckProvider, check: Check) -> CheckResult | AnswersLater:
    inquiry = required_checks.inquiry_of(check)
    try:
        if check.reference and isinstance(provider, LaterCheckProvider):
            answer = provider.result(check.reference, inquiry)
        else:
            answer = provider.look(inquiry)
    except ProviderDown as down:
        if not isinstance(down, ListsMissing):
            _count_failure(provider)
        raise
    except Exception as error:
        # An adapter that fails must not stop the check for ever: it is tried again.
        log.exception("check_provider_failed", extra={"provider": provider.name})
        _count_failure(provider)
        raise ProviderDown("The provider failed.") from error
    if not isinstance(answer, CheckResult | AnswersLater):
        raise ProviderDown("The provider gave no result.")
    if isinstance(answer, AnswersLater) and _has_waited_too_long(check):
        raise ProviderDown("The provider gave no result in time.")
    return answer


def _has_waited_too_long(check: Check) -> bool:
    since = check.waiting_since
    return since is not None and since + LONGEST_WAIT < clock.now()


def _refuse_during_outage(provider: CheckProvider) -> None:
    outage = ProviderOutage.objects.filter(provider=provider.name, until__gt=clock.now()).first()
    if outage is not None:
        raise ProviderDown("The provider did not respond several times, so we left it alone.")


def _count_failure(provider: CheckProvider) -> None:
    """Count a failure. Two workers at once may both count, which only lengthens the pause."""
    ProviderOutage.objects.bulk_create(
        [ProviderOutage(provider=provider.name)], ignore_conflicts=True
    )
    mine = ProviderOutage.objects.filter(provider=provider.name)
    mine.update(failures=F("failures") + 1)
    failures = mine.values_list("failures", flat=True).first() or 0
    if failures >= FAILURES:
        pause = min(PAUSE * 2 ** min(failures - FAILURES, 10), LONGEST_PAUSE)
        mine.update(until=clock.now() + pause)
