"""Running checks, and deciding those that need a reviewer."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from console.accounts import access
from console.accounts.actors import SYSTEM, Actor
from console.accounts.models import User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core import clock
from console.core.refusals import NotReady, ReasonMissing
from console.core.text import says_something
from console.events import outbox as events
from onboarding import case_acts
from onboarding.checks import asking, connected, earlier_decisions, required_checks, validity
from onboarding.checks.providers import AnswersLater, CheckProvider, CheckResult
from onboarding.checks.required_checks import Wanted
from onboarding.lifecycle import (
    ACCEPTED,
    CHECK_LIFECYCLE,
    CHECKED,
    SETTLED,
    ActKind,
    ApplicationStatus,
    CheckStatus,
)
from onboarding.models import Check, Submission

# Unfinished, including checks that were running when their worker died.
UNFINISHED = (CheckStatus.PENDING, CheckStatus.RUNNING, CheckStatus.ERRORED)
TRIES = 3
# Applications whose checks must stay valid: in review, or with access that depends on them.
_KEPT = (ApplicationStatus.SUBMITTED, *ACCEPTED)
# How long to wait before asking a provider again that was down. Doubles with each attempt.
PAUSE = timedelta(minutes=5)
_MOST_DOUBLINGS = 6


def run_all(submission: Submission) -> None:
    """Create and run every check a submission requires. Safe to interrupt and run again."""
    is_high = required_checks.is_high(submission)
    _make(submission, required_checks.checks_for(submission, is_high=is_high))
    for _attempt in range(TRIES):
        for check in submission.checks.filter(status__in=UNFINISHED).in_order():
            if not check.is_waiting:
                run(check)


def run_further(submission: Submission) -> bool:
    """Run the checks that a submission requires since its score, and tell whether there were any.

    Only a high risk requires more than `run_all` made.
    """
    if not required_checks.is_high(submission):
        return False
    made = set(submission.checks.values_list("subject", "kind"))
    wanted = required_checks.checks_for(submission, is_high=True)
    if all((one.subject, one.inquiry.kind) in made for one in wanted):
        return False
    run_all(submission)
    return True


def run(check: Check) -> Check:
    """Ask the provider, outside any transaction, and store the result or when to ask for it."""
    check = _begin(check, by=SYSTEM)
    asked_before = check.reference
    provider, answer = asking.ask(check)
    if isinstance(answer, AnswersLater):
        check = _wait(check, answer, by=SYSTEM)
        # Without a wait we ask at once, but only once.
        return check if asked_before or answer.wait else run(check)
    return _finish(check, provider, answer, by=SYSTEM)


@transaction.atomic
def again(check: Check, *, by: Actor) -> Check:
    """Request another run of a check, which a worker performs."""
    check = Check.objects.locked(check)
    access.require(by, Permission.CHECK_DECIDE)
    case_acts.record_unless_system(check.application, ActKind.RUN_CHECK_AGAIN, check=check, by=by)
    CHECK_LIFECYCLE.check(check.status, CheckStatus.RUNNING)
    check.finished_at, check.ask_at = None, None
    check.save(update_fields=["finished_at", "ask_at"])
    audit.record("check.asked_again", check, by=by)
    events.publish("check.asked_again", check)
    return check


def again_by_itself() -> None:
    """Retry checks that could not be run, and ask for results that come later. Scheduled."""
    for check in Check.objects.to_ask().newest_of(_KEPT)[:50]:
        if check.status == CheckStatus.RUNNING:
            ask_for_result(check, by=SYSTEM)
        else:
            again(check, by=SYSTEM)


def ask_for_results(reference: str) -> None:
    """Ask for the results with this reference, which their provider says are ready."""
    waiting = Check.objects.filter(status=CheckStatus.RUNNING, reference=reference)
    for check in waiting.exclude(reference=""):
        ask_for_result(check, by=SYSTEM)


@transaction.atomic
def ask_for_result(check: Check, *, by: Actor) -> None:
    """Let a worker ask for a result that comes later. Idempotent."""
    check = Check.objects.locked(check)
    if check.status != CheckStatus.RUNNING or not check.reference:
        return
    # If that worker dies, we ask again after the pause.
    check.ask_at = clock.now() + PAUSE
    check.save(update_fields=["ask_at"])
    audit.record("check.result_asked_for", check, by=by, after={"reference": check.reference})
    events.publish("check.asked_again", check)


def expire_outlived() -> None:
    """Expire checks whose validity has ended, and request another run. Scheduled."""
    for check in Check.objects.outlived().newest_of(_KEPT)[:50]:
        expire(check, by=SYSTEM)


def replace_void() -> None:
    """Replace simulated results that are stored but not accepted here. Scheduled."""
    # Also while on hold, so that the review can continue later.
    void = Check.objects.void().newest_of(CHECKED)
    # Without an end, another run is already requested.
    for check in void.filter(finished_at__isnull=False)[:50]:
        if check.status == CheckStatus.NEEDS_REVIEW:
            drop_result(check, by=SYSTEM)
        else:
            again(check, by=SYSTEM)


@transaction.atomic
def drop_result(check: Check, *, by: Actor) -> Check:
    """Remove a simulated provider's result from a check in review. Idempotent."""
    check = Check.objects.locked(check)
    if check.status != CheckStatus.NEEDS_REVIEW or not check.is_void:
        return check
    said, nobody = check.says, connected.NOBODY
    _note(check, nobody, nobody.look(required_checks.inquiry_of(check)))
    check.save()
    audit.record("check.result_dropped", check, by=by, before={"says": said})
    return check


@transaction.atomic
def expire(check: Check, *, by: Actor) -> Check:
    """Mark a check as expired, and request another run. Idempotent."""
    check = Check.objects.locked(check)
    if check.status not in SETTLED or not check.valid_until or check.valid_until > clock.now():
        return check
    check = move(check, CheckStatus.EXPIRED, by=by)
    events.publish("check.expired", check)
    return again(check, by=by)


@transaction.atomic
def decide(check: Check, *, passed: bool, reason: str, by: User) -> Check:
    """Decide a check that needs review, with a reason."""
    check = Check.objects.locked(check)
    access.require(by, Permission.CHECK_DECIDE)
    to, said = CheckStatus.PASSED if passed else CheckStatus.FAILED, reason.strip()
    decision = case_acts.record(
        check.application, ActKind.DECIDE_CHECK, check=check, outcome=to, note=said, by=by
    )
    if not says_something(said):
        raise ReasonMissing(_("Say what you compared. A sentence is enough."))
    if check.submission_id != check.application.submission_id:
        raise NotReady(
            _("The business has submitted again. Open the case to see the latest check.")
        )
    if check.is_void:
        raise NotReady(_("This result is simulated, so it does not count. Try again in a minute."))

    check.decided_by, check.decided_at, check.reason = by, decision.at, said
    check.valid_until = validity.until(check) if passed else None
    act = "check.decided_passed" if passed else "check.decided_failed"
    check = move(check, to, act=act, by=by, reason=said)
    events.publish("check.decided", check)
    return check


def move(check: Check, to: CheckStatus, *, act: str = "", by: Actor, **details: Any) -> Check:
    """Change the status and log it. `act` is the audit code, if the status is ambiguous."""
    was = check.status
    CHECK_LIFECYCLE.check(was, to)
    check.status = to
    check.save()
    before, after = {"status": was}, {"status": str(to)}
    audit.record(act or f"check.{to}", check, by=by, before=before, after=after, **details)
    return check


@transaction.atomic
def _make(submission: Submission, wanted: Iterable[Wanted]) -> None:
    Check.objects.bulk_create(
        (
            Check(
                application=submission.application,
                submission=submission,
                kind=needed.inquiry.kind,
                subject=needed.subject,
                subject_name=needed.inquiry.name,
            )
            for needed in wanted
        ),
        ignore_conflicts=True,
    )


@transaction.atomic
def _begin(check: Check, *, by: Actor) -> Check:
    check = Check.objects.locked(check)
    check.attempts += 1
    if check.status == CheckStatus.RUNNING:
        check.save(update_fields=["attempts"])
        return check
    check.decided_by, check.decided_at, check.reason = None, None, ""
    check.valid_until = None
    check.reference, check.ask_at, check.waiting_since = "", None, None
    return move(check, CheckStatus.RUNNING, by=by)


@transaction.atomic
def _wait(check: Check, answer: AnswersLater, *, by: Actor) -> Check:
    attempts = check.attempts
    check = Check.objects.locked(check)
    if check.status != CheckStatus.RUNNING or check.attempts != attempts:
        return check
    if check.waiting_since is None:
        check.waiting_since = clock.now()
        audit.record(
            "check.waits_for_provider", check, by=by, after={"reference": answer.reference}
        )
    check.reference, check.ask_at = answer.reference, clock.now() + answer.wait
    check.save()
    return check


@transaction.atomic
def _finish(check: Check, provider: CheckProvider, finding: CheckResult, *, by: Actor) -> Check:
    attempts = check.attempts
    check = Check.objects.locked(check)
    if check.status != CheckStatus.RUNNING or check.attempts != attempts:
        return check
    _note(check, provider, finding)
    if finding.status == CheckStatus.ERRORED:
        doublings = min(max(check.attempts - TRIES, 0), _MOST_DOUBLINGS)
        check.ask_at = clock.now() + PAUSE * 2**doublings
    if decided := earlier_decisions.standing(check, finding):
        check = _keep_decision(check, decided, by=by)
    else:
        if finding.status == CheckStatus.PASSED:
            check.valid_until = validity.until(check)
        check = move(check, finding.status, by=by)
    events.publish("check.finished", check)
    return check


def _keep_decision(check: Check, decided: Check, *, by: Actor) -> Check:
    check.decided_by, check.decided_at = decided.decided_by, decided.decided_at
    check.reason, check.valid_until = decided.reason, decided.valid_until
    to, reason = CheckStatus(decided.status), decided.reason
    return move(check, to, act="check.decision_kept", by=by, reason=reason)


def _note(check: Check, provider: CheckProvider, finding: CheckResult) -> None:
    check.provider, check.simulated = provider.name, provider.simulated
    check.says, check.evidence = finding.says, dict(finding.evidence)
    check.reference = finding.reference or check.reference
    check.finished_at, check.ask_at, check.waiting_since = clock.now(), None, None
