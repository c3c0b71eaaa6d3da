"""Temporary waivers of checks: one compliance reviewer proposes, another decides."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from console.accounts import access
from console.accounts.actors import Actor
from console.accounts.models import User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core import clock
from console.core.refusals import NotAllowed, NotReady, Refused, Stale
from console.events import outbox as events
from onboarding import case_acts
from onboarding.case_acts import reason_in
from onboarding.checks import runs
from onboarding.checks.validity import LONGEST_WAIVER
from onboarding.lifecycle import CHECK_LIFECYCLE, ActKind, CheckStatus
from onboarding.models import Check, CheckWaiver


class UnusableEnd(Refused):
    """A waiver must end in the future, and within a year."""

    code = "unusable_end"


@transaction.atomic
def propose(check: Check, *, reason: str, ends_at: datetime, by: User) -> CheckWaiver:
    """Propose to waive a check until then, with a reason."""
    check = Check.objects.locked(check)
    access.require(by, Permission.CHECK_DECIDE)
    said = reason_in(reason)
    case_acts.record(check.application, ActKind.PROPOSE_WAIVER, check=check, note=said, by=by)
    CHECK_LIFECYCLE.check(check.status, CheckStatus.WAIVED)
    if check.waivers.waiting().exists():
        raise Stale(
            _("Someone has already proposed to waive this check. Decide on that waiver first.")
        )
    now = clock.now()
    if not now < ends_at <= now + LONGEST_WAIVER:
        raise UnusableEnd(_("Choose an end within the next year."))
    waiver = CheckWaiver.objects.create(
        waived_check=check, reason=said, ends_at=ends_at, proposed_by=by, proposed_at=now
    )
    _record("check_waiver.proposed", waiver, by=by, reason=said, until=clock.iso(ends_at))
    events.publish("check_waiver.proposed", waiver)
    return waiver


@transaction.atomic
def decide(waiver: CheckWaiver, *, confirmed: bool, reason: str, by: User) -> CheckWaiver:
    """Confirm a colleague's proposal, which waives the check, or refuse it, with a reason."""
    check = Check.objects.locked(waiver.waived_check)
    waiver = CheckWaiver.objects.select_related("proposed_by").get(pk=waiver.pk)
    access.require(by, Permission.CHECK_DECIDE)
    said = reason_in(reason)
    kind = ActKind.CONFIRM_WAIVER if confirmed else ActKind.REFUSE_WAIVER
    act = case_acts.record(check.application, kind, check=check, note=said, by=by)
    if waiver.decided_at is not None:
        raise Stale(_("This waiver has already been decided."))
    if waiver.proposed_by == by:
        raise NotAllowed(_("You proposed this waiver, so another compliance reviewer must decide."))
    waiver.confirmed, waiver.decided_by, waiver.decided_at = confirmed, by, act.at
    waiver.decision_reason = said
    waiver.save()
    if confirmed:
        _record("check_waiver.confirmed", waiver, by=by, reason=said)
        _waive(check, waiver, by=by)
    else:
        _record("check_waiver.refused", waiver, by=by, reason=said)
    return waiver


def _waive(check: Check, waiver: CheckWaiver, *, by: User) -> None:
    if waiver.ends_at <= clock.now():
        raise NotReady(_("The proposed end has passed. Refuse this waiver and propose a new one."))
    check.valid_until = waiver.ends_at
    runs.move(check, CheckStatus.WAIVED, by=by)
    events.publish("check.decided", check)


def _record(code: str, waiver: CheckWaiver, *, by: Actor, **details: Any) -> None:
    audit.record(code, waiver, by=by, business=waiver.waived_check.business, **details)
