"""Reviewers' decisions on possible matches. To confirm that a match is *the same* takes two."""

from django.db import transaction
from django.utils.translation import gettext as _

from console.accounts import access
from console.accounts.models import User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core.refusals import NotAllowed, NotReady, ReasonMissing, Stale
from console.core.text import says_something
from console.events import outbox as events
from onboarding import case_acts
from onboarding.checks import runs
from onboarding.lifecycle import LIFECYCLE, ActKind, ApplicationStatus, CheckStatus
from onboarding.matches.models import MatchDecision, MatchOutcome, PossibleMatch
from onboarding.models import Check
from onboarding.review import decisions


@transaction.atomic
def decide(
    match: PossibleMatch,
    check: Check,
    *,
    outcome: MatchOutcome,
    reason: str,
    seen: str = "",
    by: User,
) -> MatchDecision:
    """Decide about a possible match. *The same* waits for a second reviewer.

    `seen` is the `newest_id` that the page showed, if any. Raises Stale if it has changed.

    A check whose matches are all *not the same* passes.
    """
    check, said = Check.objects.locked(check), _said(reason)
    access.require(by, Permission.CHECK_DECIDE)
    act = case_acts.record(
        check.application, ActKind.DECIDE_CHECK, check=check, outcome=outcome, note=said, by=by
    )
    _require_open(check)
    _require_newest(match, seen)
    if waiting(match) is not None:
        raise Stale(_("Someone proposed to confirm this match. Decide on that proposal first."))
    decision = MatchDecision.objects.create(
        match=match, decided_check=check, outcome=outcome, reason=said, decided_by=by,
        decided_at=act.at,
    )  # fmt: skip
    proposes = outcome == MatchOutcome.SAME
    audit.record(
        "possible_match.proposed" if proposes else "possible_match.judged",
        decision, by=by, business=check.business, outcome=str(outcome), reason=said,
    )  # fmt: skip
    if proposes:
        events.publish("possible_match.proposed", decision)
    if all(one.is_cleared for one in PossibleMatch.objects.of(check).with_decisions()):
        runs.decide(check, passed=True, reason=said, by=by)
    return decision


@transaction.atomic
def confirm(
    decision: MatchDecision, *, confirmed: bool, reason: str, seen: str = "", by: User
) -> MatchDecision:
    """Confirm or refuse a colleague's *the same*. `seen` is as for `decide`.

    A confirmed match fails the check and declines the application. If the business has access,
    handlers of the event suspend it.
    """
    check, said = Check.objects.locked(decision.decided_check), _said(reason)
    decision = MatchDecision.objects.select_related("match", "decided_by").get(pk=decision.pk)
    access.require(by, Permission.CHECK_DECIDE)
    outcome = "same" if confirmed else "same_refused"
    act = case_acts.record(
        check.application, ActKind.DECIDE_CHECK, check=check, outcome=outcome, note=said, by=by
    )
    _require_newest(decision.match, seen)
    if not decision.is_waiting:
        raise Stale(_("This proposal has already been decided."))
    if decision.decided_by == by:
        raise NotAllowed(_("You proposed this, so another compliance reviewer must decide."))
    decision.confirmed, decision.second_by, decision.second_at = confirmed, by, act.at
    decision.second_reason = said
    decision.save()
    audit.record(
        "possible_match.confirmed" if confirmed else "possible_match.refused",
        decision, by=by, business=check.business, reason=said,
    )  # fmt: skip
    if confirmed:
        _act_on_match(check, decision, reason=said, by=by)
    return decision


def waiting(match: PossibleMatch) -> MatchDecision | None:
    """Return the proposal of *the same* that needs a second reviewer."""
    decisions_ = match.decisions.filter(outcome=MatchOutcome.SAME, second_at=None)
    return decisions_.select_related("decided_by").first()


def newest_id(match: PossibleMatch) -> str:
    """Return the id of the newest decision about a match, or `none`."""
    newest = match.decisions.order_by("pk").last()
    return newest.public_id if newest else "none"


def _require_newest(match: PossibleMatch, seen: str) -> None:
    if seen not in ("", newest_id(match)):
        raise Stale(_("Somebody decided about this match after you opened this page."))


def _act_on_match(check: Check, decision: MatchDecision, *, reason: str, by: User) -> None:
    application = check.application
    # The business may have submitted again, and two of its people may be the same party.
    open_checks = Check.objects.filter(
        submission=application.submission, status=CheckStatus.NEEDS_REVIEW
    )
    for one in open_checks.in_order():
        if decision.match.public_id in one.evidence.get("matches", "").split():
            runs.decide(one, passed=False, reason=reason, by=by)
    if LIFECYCLE.allows(application.status, ApplicationStatus.DECLINED):
        decisions.decline(application, note=reason, by=by)
    events.publish(
        "possible_match.confirmed",
        decision,
        business=application.business.public_id,
        by=by.public_id,
    )


def _require_open(check: Check) -> None:
    if check.submission_id != check.application.submission_id:
        raise NotReady(
            _("The business has submitted again. Open the case to see the latest check.")
        )
    if check.status != CheckStatus.NEEDS_REVIEW:
        raise NotReady(_("This check no longer needs a decision."))


def _said(reason: str) -> str:
    if not says_something(reason):
        raise ReasonMissing(_("Say what you compared. A sentence is enough."))
    return reason.strip()
