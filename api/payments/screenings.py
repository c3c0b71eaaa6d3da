"""Compare the parties of live payments with sanctions lists, and decide about possible matches.

Nobody in the business is told that a payment waits for a reviewer: it is pending like any other.
To block one takes two people. What a reviewer has judged *not the same* passes the next time, as
long as the party and what was found stay the same.
"""

import logging
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from api.payments import deposits, instruction_queue, instructions, scoping
from api.payments.disbursements import BY_WORD
from api.payments.lifecycle import SCREENING_LIFECYCLE, ScreeningStatus
from api.payments.models import ACCOUNT, CARDHOLDER, DEPOSIT, PaymentScreening, ProviderInstruction
from api.payments.models.disbursement import BLOCKED
from api.payments.screening_queue import LEASE
from console.accounts import access
from console.accounts.actors import SYSTEM, Actor
from console.accounts.models import User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core import clock, digests
from console.core.refusals import NotAllowed, ReasonMissing, Stale
from console.core.text import says_something
from console.events import outbox as events
from console.events.models import Event
from onboarding import application_facts
from onboarding.checks import connected
from onboarding.checks.providers import CheckProvider, CheckResult, Inquiry, ProviderDown
from onboarding.lifecycle import CheckStatus
from onboarding.models.check import CheckKind

log = logging.getLogger(__name__)

_AT_ONCE = 500


def compare(event: Event) -> None:
    """Compare the parties of a due screening, outside any transaction, and act on the result."""
    row = PaymentScreening.objects.select_related("business").get(public_id=event.subject_id)
    if row.status != ScreeningStatus.WAITING:
        return
    provider = connected.provider_of(CheckKind.SCREENING)
    business = application_facts.legal_name(row.business)
    try:
        results = [_result(provider, business, party) for party in row.parties]
    except ProviderDown as down:
        _wait(row, str(down))
    else:
        _apply(row, provider.name or connected.REVIEWER, results)


def _result(provider: CheckProvider, business: str, party: dict[str, str]) -> dict[str, Any]:
    inquiry = Inquiry(
        kind=CheckKind.SCREENING,
        name=party["name"],
        business_name=business,
        country=party.get("country", ""),
    )
    try:
        answer = provider.look(inquiry)
    except ProviderDown:
        raise
    except Exception as error:
        # An adapter that fails must not let anything pass: it is asked again.
        log.exception("screening_provider_failed", extra={"provider": provider.name})
        raise ProviderDown("The provider failed.") from error
    if not isinstance(answer, CheckResult):
        raise ProviderDown("The provider answers later, so it cannot screen payments.")
    evidence = dict(answer.evidence)
    passed = answer.status == CheckStatus.PASSED
    found = {"name": party["name"], "passed": passed, "says": answer.says, "evidence": evidence}
    if not passed:
        about = {"party": party, "business": business, "evidence": evidence}
        found["finding"] = digests.digest("api.payment-finding.v1", about)
    return found


@transaction.atomic
def _apply(row: PaymentScreening, provider: str, results: list[dict[str, Any]]) -> None:
    row = scoping.locked(row)
    if row.status != ScreeningStatus.WAITING:
        return
    row.results, row.problem, row.ask_at = results, "", None
    row.findings = sorted({one["finding"] for one in row.doubts})
    row.compared_by, row.compared_at = provider, clock.now()
    if _are_cleared(row):
        _move(row, ScreeningStatus.CLEAR)
        _go_on(row, by=SYSTEM)
    else:
        _move(row, ScreeningStatus.MATCHED)
        audit.record("payment_screening.matched", row, by=SYSTEM, business=row.business)
        events.publish("payment_screening.matched", row)


def _are_cleared(row: PaymentScreening) -> bool:
    """Tell whether reviewers have judged every finding before, or there is none."""
    if not row.findings:
        return True
    cleared = PaymentScreening.objects.filter(
        business=row.business, status=ScreeningStatus.CLEARED, findings__overlap=row.findings
    )
    known = {one for findings in cleared.values_list("findings", flat=True) for one in findings}
    return known.issuperset(row.findings)


@transaction.atomic
def _wait(row: PaymentScreening, problem: str) -> None:
    """Note why the comparison was not possible. It is tried again after a while."""
    row = scoping.locked(row)
    if row.status == ScreeningStatus.WAITING:
        row.problem, row.ask_at = problem[:300], clock.now() + LEASE
        row.save(update_fields=["problem", "ask_at"])


@transaction.atomic
def ask_due() -> None:
    """Let workers compare the parties of the payments that are due."""
    due = PaymentScreening.objects.filter(ask_at__lte=clock.now()).order_by("ask_at")
    for row in due.select_for_update(no_key=True, skip_locked=True, of=("self",))[:_AT_ONCE]:
        row.ask_at = clock.now() + LEASE
        row.save(update_fields=["ask_at"])
        events.publish("payment_screening.due", row)


@transaction.atomic
def clear(row: PaymentScreening, *, reason: str, by: User) -> None:
    """Decide that nobody of the payment is on a list, and let its money move on."""
    row, said = _decided(row, ScreeningStatus.CLEARED, reason, by=by)
    row.decided_by, row.decided_at, row.reason = by, clock.now(), said
    _record(row, "payment_screening.cleared", said, by=by)
    _go_on(row, by=by)


@transaction.atomic
def propose(row: PaymentScreening, *, reason: str, by: User) -> None:
    """Propose to block a payment, because somebody of it is on a list. A second person decides."""
    row, said = _decided(row, ScreeningStatus.PROPOSED, reason, by=by)
    row.proposed_by, row.proposed_at, row.proposal = by, clock.now(), said
    _record(row, "payment_screening.proposed", said, by=by)
    events.publish("payment_screening.proposed", row, by=by.public_id)


@transaction.atomic
def confirm(row: PaymentScreening, *, reason: str, by: User) -> None:
    """Block a payment that a colleague proposed to block. Its money stays reserved, or held."""
    row, said = _decided(row, ScreeningStatus.BLOCKED, reason, by=by)
    row.decided_by, row.decided_at, row.reason = by, clock.now(), said
    _record(row, "payment_screening.blocked", said, by=by)
    if row.kind not in (DEPOSIT, CARDHOLDER):
        instruction = ProviderInstruction.objects.get(public_id=row.object_id)
        instructions.end(instruction, completed=False, said={"reason": BLOCKED}, by=by)


@transaction.atomic
def refuse(row: PaymentScreening, *, reason: str, by: User) -> None:
    """Refuse a colleague's proposal. The match stays open."""
    row, said = _decided(row, ScreeningStatus.MATCHED, reason, by=by)
    row.proposed_by, row.proposed_at, row.proposal = None, None, ""
    _record(row, "payment_screening.refused", said, by=by)


@transaction.atomic
def give_back(row: PaymentScreening, *, reason: str, by: User) -> None:
    """Return the money of a blocked payment to the balance, as an authority permits."""
    access.require(by, Permission.ACCESS_CLOSE)
    row, said = _decided(row, ScreeningStatus.RETURNED, reason, by=by)
    row.returned_by, row.returned_at = by, clock.now()
    _record(row, "payment_screening.returned", said, by=by)
    if row.kind == DEPOSIT:
        deposits.settle_screened(row.object_id, by=by)
    elif row.kind not in (ACCOUNT, CARDHOLDER):
        BY_WORD[row.kind].give_back(row.object_id)


def _decided(
    row: PaymentScreening, to: ScreeningStatus, reason: str, *, by: User
) -> tuple[PaymentScreening, str]:
    """Return the locked row in its new status, and the reason, if this person may decide so."""
    access.require(by, Permission.CHECK_DECIDE)
    access.require_outsider(by, row.business)
    if not says_something(reason):
        raise ReasonMissing(_("Say what you compared. A sentence is enough."))
    row = scoping.locked(row)
    if row.status == ScreeningStatus.WAITING or not SCREENING_LIFECYCLE.allows(row.status, to):
        raise Stale(_("Somebody decided about this payment after you opened this page."))
    if row.status == ScreeningStatus.PROPOSED and row.proposed_by == by:
        raise NotAllowed(_("You proposed this, so another compliance reviewer must decide."))
    row.status = to
    return row, reason.strip()


def _record(row: PaymentScreening, code: str, reason: str, *, by: User) -> None:
    row.save()
    audit.record(code, row, by=by, business=row.business, reason=reason)


def _move(row: PaymentScreening, to: ScreeningStatus) -> None:
    SCREENING_LIFECYCLE.check(row.status, to)
    row.status = to
    row.save()


def _go_on(row: PaymentScreening, *, by: Actor) -> None:
    if row.kind == DEPOSIT:
        deposits.settle_screened(row.object_id, by=by)
    elif row.kind != CARDHOLDER:
        instruction_queue.send_now(row.object_id)
