"""Approve a signed pack or send it back; each decision is bound to what was signed."""

from collections.abc import Mapping
from types import MappingProxyType

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from agreements.lifecycle import DecisionKind, DecisionRole, PackStatus
from agreements.models import Decision, Pack
from agreements.packs import authority, event_chain, packs
from agreements.required_approvals import APPROVERS, required_approvals
from console.accounts import access, business_access
from console.accounts.act_proofs import Act, Proof
from console.accounts.models import User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.catalogue.definitions import BASE_PRODUCTS, PRODUCTS
from console.core import blobs, clock, digests
from console.core.refusals import Blocker, NotReady, ReasonMissing, Refused, Stale
from console.core.text import says_something
from onboarding import case_acts, restriction_recheck
from onboarding.lifecycle import ActKind, ApplicationStatus
from onboarding.review.decisions import give_back

DECISION = "agr.decision.v2"
PRODUCTS_OF = "agr.products.v1"
NONE_REFUSED: Mapping[str, str] = MappingProxyType({})
PERMISSIONS = {
    DecisionRole.COMPLIANCE: Permission.APPROVE_COMPLIANCE,
    DecisionRole.COMMERCIAL: Permission.APPROVE_COMMERCIAL,
    DecisionRole.LEGAL: Permission.APPROVE_LEGAL,
    DecisionRole.COUNTERSIGNATORY: Permission.PACK_COUNTERSIGN,
}


class AlreadyDecided(Refused):
    """Raised when this person already decided on the pack, or enough people in the role have."""

    code = "already_decided"


class CannotRefuse(Refused):
    """Raised when commercial may not refuse this product, or the role may not refuse products."""

    code = "cannot_refuse"


class CannotApprove(NotReady):
    """Raised when the pack cannot be approved in its current status."""


def blockers(pack: Pack, role: DecisionRole, person: User) -> list[Blocker]:
    """Return what prevents this person from deciding on the pack; `case_acts` checks the case."""
    if pack.status != PackStatus.IN_APPROVAL:
        said = pack.get_status_display().lower()
        return [
            Blocker(
                "status",
                _("You cannot approve this pack now, because it is %(said)s.") % {"said": said},
            )
        ]
    if pack.application.status != ApplicationStatus.CLEARED:
        return [Blocker("application", _("The application is on hold or with the business."))]
    found = []
    if decisions(pack).filter(person=person).exists():
        found.append(
            Blocker("twice", _("You have already decided on this pack. Someone else must decide."))
        )
    if places_left(pack, role) <= 0:
        found.append(Blocker("place", _("%(role)s has already decided.") % {"role": role.label}))
    if role == DecisionRole.COMPLIANCE and not _head_is_kept(pack, person):
        found.append(
            Blocker(
                "head",
                _("At this tier, the head of compliance must give one of the two approvals."),
            )
        )
    return found


def approval_blockers(pack: Pack, role: DecisionRole, person: User) -> list[Blocker]:
    """Return what prevents this person from approving the pack; they may still send it back."""
    found = blockers(pack, role, person)
    found += authority.blockers(pack, is_told=False)
    return [*found, *business_access.blockers(pack.business, is_told=False)]


def places_left(pack: Pack, role: DecisionRole) -> int:
    """Return how many more approvals of this role the pack needs."""
    given = decisions(pack).filter(role=role, verdict=DecisionKind.APPROVED).count()
    return required_approvals(pack.tier).get(role, 0) - given


def decisions(pack: Pack) -> QuerySet[Decision]:
    """Return the decisions on the newest revision, oldest first."""
    found = Decision.objects.filter(revision=pack.revision).select_related("person")
    return found.order_by("at", "pk")


def of_commercial(pack: Pack) -> Decision:
    """Return commercial's approval, which lists the refused products, of a fully approved pack."""
    given = decisions(pack).filter(role=DecisionRole.COMMERCIAL, verdict=DecisionKind.APPROVED)
    return given.get()


def act_of(
    pack: Pack,
    role: DecisionRole,
    *,
    signed_set_sha256: str,
    refused: Mapping[str, str] = NONE_REFUSED,
) -> Act:
    """Return what an approver proves: that they approve this signed set, without some products."""
    terms = ""
    if role == DecisionRole.COMMERCIAL:
        terms = digests.digest(PRODUCTS_OF, _products(pack, refused))
    return Act("approve", pack.number, signed_set_sha256, str(role), terms)


@transaction.atomic
def approve(
    pack: Pack,
    role: DecisionRole,
    *,
    signed_set_sha256: str,
    proof: Proof,
    refused: Mapping[str, str] = NONE_REFUSED,
    note: str = "",
    by: User,
) -> Pack:
    """Approve a pack in one capacity. The last approval that the tier requires approves the pack.

    Commercial approves every product of the pack except those in `refused`, which maps each product
    to the reason that the business reads. Products do not change until the pack is executed.
    """
    pack = lock(pack, role, signed_set_sha256, by=by)
    refused = _refused_products(pack, role, refused)
    said = note or "\n".join(f"{PRODUCTS[key].name} refused: {why}" for key, why in refused.items())
    case_acts.record(pack.application, ActKind.APPROVE, capacity=role, note=said, by=by)
    business_access.require(pack.business, is_told=False)
    if found := approval_blockers(pack, role, by):
        raise _refusal(found)
    restriction_recheck.require_allowed(pack.application)

    decide(pack, role, DecisionKind.APPROVED, proof=proof, refused=refused, note=note, by=by)
    if any(places_left(pack, other) > 0 for other in APPROVERS):
        return pack
    pack.approved_at = clock.now()
    return packs.move(pack, PackStatus.APPROVED, by=by)


@transaction.atomic
def send_back(
    pack: Pack, role: DecisionRole, *, signed_set_sha256: str, note: str, by: User
) -> Pack:
    """Send the pack back to the business for a new revision, and reopen the answers."""
    pack = lock(pack, role, signed_set_sha256, by=by)
    note = note.strip()
    if not says_something(note):
        raise ReasonMissing(_("Say what must change. The business sees this."))
    case_acts.record(pack.application, ActKind.SEND_BACK, capacity=role, note=note, by=by)
    if found := blockers(pack, role, by):
        raise _refusal(found)

    decide(pack, role, DecisionKind.RETURNED, note=note, by=by)
    pack = packs.move(pack, PackStatus.RETURNED, by=by)
    give_back(pack.application, note=note, by=by)
    return pack


def decide(
    pack: Pack,
    role: DecisionRole,
    verdict: DecisionKind,
    *,
    proof: Proof | None = None,
    refused: Mapping[str, str] = NONE_REFUSED,
    note: str,
    by: User,
) -> Decision:
    """Record one decision with the hash of what it decides on.

    Whoever sends a pack back agrees to nothing, and needs no proof.
    """
    revision, at = pack.revision, clock.now()
    assert revision is not None
    place = decisions(pack).filter(role=role).count() + 1
    said = {
        "pack": pack.number,
        "signed_set_sha256": revision.signed_set_sha256,
        "role": str(role),
        "place": place,
        "person": {"id": by.public_id, "name": by.name},
        "verdict": str(verdict),
        "note": note,
        "time": clock.iso(at),
        **(proof.said() if proof else {}),
    }
    if role == DecisionRole.COMMERCIAL and verdict == DecisionKind.APPROVED:
        said["products"] = _products(pack, refused)
    body = digests.canonical(DECISION, said)
    decision = Decision.objects.create(
        revision=revision, role=role, place=place, verdict=verdict, person=by, note=note,
        refused_products=dict(refused), signed_set_sha256=revision.signed_set_sha256,
        body=body.decode(), decision_sha256=blobs.put(body), at=at,
        as_head=role == DecisionRole.COMPLIANCE and case_acts.is_head(by),
    )  # fmt: skip
    event_chain.append(
        pack, f"pack.decision.{verdict}", by=by, decision_sha256=decision.decision_sha256
    )
    act = {
        DecisionKind.APPROVED: "pack.approval_given",
        DecisionKind.RETURNED: "pack.sent_back",
        DecisionKind.COUNTERSIGNED: "pack.countersigned",
    }[verdict]
    audit.record(
        act, pack, by=by,
        role=str(role), verdict=str(verdict), decision_sha256=decision.decision_sha256,
        refused_products=dict(refused),
    )  # fmt: skip
    return decision


def lock(pack: Pack, role: DecisionRole, signed_set_sha256: str, *, by: User) -> Pack:
    """Lock a pack for this person's decision, and check that the signed set is the one they saw."""
    pack = Pack.objects.locked(pack)
    access.require(by, PERMISSIONS[role])
    if pack.revision is None or pack.revision.signed_set_sha256 != signed_set_sha256:
        raise Stale(_("The pack has changed since you opened this page. Review it again."))
    return pack


def _products(pack: Pack, refused: Mapping[str, str]) -> dict[str, object]:
    """Return what commercial decides: the approved products, and the others with the reason."""
    assert pack.revision is not None
    approved = [key for key in pack.revision.products if key not in refused]
    kept = {key: refused[key].strip() for key in pack.revision.products if key in refused}
    return {"approved": approved, "refused": kept}


def _refused_products(pack: Pack, role: DecisionRole, refused: Mapping[str, str]) -> dict[str, str]:
    """Return the reasons in pack order. Raises CannotRefuse or ReasonMissing."""
    assert pack.revision is not None
    if refused and role != DecisionRole.COMMERCIAL:
        raise CannotRefuse(_("Only commercial can decide about products."))
    for key in refused:
        if key in BASE_PRODUCTS or key not in pack.revision.products:
            raise CannotRefuse(_("You can refuse only the products that the business requested."))
        if not says_something(refused[key]):
            said = _("Say why you refuse %(product)s. The business sees this.") % {
                "product": PRODUCTS[key].name
            }
            raise ReasonMissing(said)
    return {key: refused[key].strip() for key in pack.revision.products if key in refused}


def _head_is_kept(pack: Pack, person: User) -> bool:
    """Tell whether the head of compliance has approved, is approving now, or still can."""
    two = required_approvals(pack.tier)[DecisionRole.COMPLIANCE] > 1
    if not two or places_left(pack, DecisionRole.COMPLIANCE) > 1:
        return True
    return case_acts.is_head(person) or decisions(pack).filter(as_head=True).exists()


def _refusal(found: list[Blocker]) -> Refused:
    kind = AlreadyDecided if found[0].code in ("twice", "place") else CannotApprove
    return kind(found[0].message, blockers=found[1:])
