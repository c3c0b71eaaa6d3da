"""Countersign an approved pack; sealing then runs automatically."""

from django.db import transaction
from django.utils.translation import gettext as _

from agreements.approvals import approvals
from agreements.lifecycle import DecisionKind, DecisionRole, PackStatus
from agreements.models import Pack
from agreements.packs import authority, packs
from agreements.sealing import self_check
from console.accounts import business_access, factors
from console.accounts.act_proofs import Act, Proof
from console.accounts.factors import UsedFactor
from console.accounts.models import User
from console.core.refusals import Blocker, NotReady
from onboarding import case_acts, restriction_recheck
from onboarding.lifecycle import ActKind, ApplicationStatus


class CannotCountersign(NotReady):
    """Raised when the pack cannot be countersigned in its current status."""


def act_of(pack: Pack, *, signed_set_sha256: str) -> Act:
    """Return what the countersignatory proves: that they countersign this signed set."""
    role = str(DecisionRole.COUNTERSIGNATORY)
    return Act("countersign", pack.number, signed_set_sha256, role)


def blockers(pack: Pack, person: User, used: UsedFactor | None = None) -> list[Blocker]:
    """Return what prevents this person from countersigning; `case_acts` checks the case.

    `used` is the factor they proved it with, if they have.
    """
    found = []
    if pack.status != PackStatus.APPROVED:
        said = pack.get_status_display().lower()
        return [
            Blocker(
                "status",
                _("You cannot countersign this pack, because it is %(said)s.") % {"said": said},
            )
        ]
    found += business_access.blockers(pack.business, is_told=False)
    found += authority.blockers(pack, is_told=False)
    if pack.application.status != ApplicationStatus.CLEARED:
        found.append(Blocker("application", _("The application is on hold or with the business.")))
    if held := factors.held_until(person, used):
        said = _("You recently added this passkey or app.")
        found.append(
            Blocker(
                "held",
                _("%(said)s You can countersign with it from %(held)s UTC.")
                % {"said": said, "held": f"{held:%-d %B %Y, %H:%M}"},
            )
        )
    if obstacle := self_check.obstacle():
        found.append(Blocker("seal", obstacle))
    return found


@transaction.atomic
def countersign(pack: Pack, *, signed_set_sha256: str, proof: Proof, by: User) -> Pack:
    """Countersign for us. This forms the agreement; a worker then seals it."""
    capacity = DecisionRole.COUNTERSIGNATORY
    pack = approvals.lock(pack, capacity, signed_set_sha256, by=by)
    case_acts.record(pack.application, ActKind.COUNTERSIGN, capacity=capacity, by=by)
    business_access.require(pack.business, is_told=False)
    if found := blockers(pack, by, proof.factor):
        raise CannotCountersign(found[0].message, blockers=found[1:])
    restriction_recheck.require_allowed(pack.application)

    approvals.decide(pack, capacity, DecisionKind.COUNTERSIGNED, proof=proof, note="", by=by)
    return packs.move(pack, PackStatus.COUNTERSIGNING, by=by)
