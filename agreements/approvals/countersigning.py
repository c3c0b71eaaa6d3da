"""Countersign an approved pack: the last human act. The sealing that follows is the machine's."""

from django.db import transaction

from agreements.approvals import approvals
from agreements.lifecycle import DecisionKind, DecisionRole, PackStatus
from agreements.models import Pack
from agreements.packs import packs
from agreements.sealing import self_check
from console.accounts import factors
from console.accounts.models import User
from console.core.refusals import Blocker, NotReady
from onboarding import case_acts, restriction_recheck
from onboarding.lifecycle import ActKind, ApplicationStatus


class CannotCountersign(NotReady):
    """The pack is not one that can be countersigned now."""


def blockers(pack: Pack, person: User) -> list[Blocker]:
    """Return what keeps this person from countersigning; `case_acts` asks about its case."""
    found = []
    if pack.status != PackStatus.APPROVED:
        said = pack.get_status_display().lower()
        return [Blocker("status", f"This pack is {said}, so there is nothing to countersign.")]
    if pack.application.status != ApplicationStatus.CLEARED:
        found.append(Blocker("application", "The application is on hold or with its business."))
    if held := factors.held_until(person):
        said = "Your authenticator app was set up with a recovery code, and we told you by e-mail."
        found.append(Blocker("held", f"{said} It countersigns from {held:%-d %B %Y, %H:%M} UTC."))
    if obstacle := self_check.obstacle():
        found.append(Blocker("seal", obstacle))
    return found


@transaction.atomic
def countersign(pack: Pack, *, signed_set_sha256: str, by: User) -> Pack:
    """Bind our side. From here the agreement stands; a worker seals it."""
    capacity = DecisionRole.COUNTERSIGNATORY
    pack = approvals.lock(pack, capacity, signed_set_sha256, by=by)
    case_acts.record(pack.application, ActKind.COUNTERSIGN, capacity=capacity, by=by)
    if found := blockers(pack, by):
        raise CannotCountersign(found[0].message, blockers=found[1:])
    restriction_recheck.require_allowed(pack.application)

    act = "pack.countersigned"
    approvals.decide(pack, capacity, DecisionKind.COUNTERSIGNED, act=act, note="", by=by)
    return packs.move(pack, PackStatus.COUNTERSIGNING, by=by)
