"""Packs that await our staff: one person, or anyone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.text import Truncator

from agreements import statuses
from agreements.approvals.approvals import PERMISSIONS
from agreements.lifecycle import (
    OFFERED,
    OUTDATED,
    STOPPED,
    DecisionKind,
    DecisionRole,
    PackStatus,
)
from agreements.models import Decision, Pack
from agreements.required_approvals import APPROVERS, required_approvals
from console.accounts import access
from console.accounts.models import Participant, User
from console.accounts.roles import Permission, Role
from console.core.subqueries import count_of
from console.shell import modules
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Reviewer
from onboarding.tiers import Tier

S = PackStatus
# How many stopped packs to name to operators, and the longest cause to show, in characters.
NAMED, CAUSE = 20, 200
STAGES = {
    "waiting": Q(status__in=(S.IN_APPROVAL, S.APPROVED, *STOPPED)),
    "in_approval": Q(status=S.IN_APPROVAL),
    "approved": Q(status__in=(S.APPROVED, S.COUNTERSIGNING)),
    "stopped": Q(status__in=STOPPED),
    "business": Q(status__in=(*OFFERED, *OUTDATED, S.PARTLY_SIGNED)),
    "executed": Q(status=PackStatus.EXECUTED),
    "all": Q(),
}


@dataclass(frozen=True)
class WaitingPack:
    """A pack in the list: who acts next, and how long it has waited."""

    pack: Pack
    waits_for: str
    since: datetime


def lines(packs: Iterable[Pack]) -> list[WaitingPack]:
    """Return the packs as list entries."""
    return [_line(pack) for pack in packs]


def rows(chosen: Mapping[str, Any], person: User, roles: frozenset[Role]) -> "QuerySet[Pack]":
    """Return the packs that match the filters, oldest first."""
    stage = chosen.get("stage")
    packs = _counted().filter(STAGES[stage]) if stage else for_person(person, roles)
    if tier := chosen.get("tier"):
        packs = packs.filter(tier=tier)
    if words := (chosen.get("q") or "").strip():
        packs = packs.filter(Q(business__name__icontains=words) | Q(number__iexact=words))
    return packs.select_related("business", "application", "revision").order_by("pk")


def for_person(person: User, roles: frozenset[Role]) -> "QuerySet[Pack]":
    """Return the packs on which this person can act next."""
    wanted = Q(pk=None)
    for role in APPROVERS:
        if access.allows(roles, PERMISSIONS[role]):
            wanted |= _takes_an_approval(role) & _in_this_capacity(role, person)
    role = DecisionRole.COUNTERSIGNATORY
    if access.allows(roles, PERMISSIONS[role]):
        to_countersign = Q(status=S.APPROVED, application__status=ApplicationStatus.CLEARED)
        wanted |= to_countersign & _in_this_capacity(role, person)
    mine = Decision.objects.filter(revision=OuterRef("revision"), person=person)
    own = Participant.objects.filter(business=OuterRef("business"), person=person)
    waiting = _counted().filter(STAGES["waiting"])
    return waiting.filter(Q(wanted, ~Exists(mine), ~Exists(own)) | _stopped(roles))


def count(person: Any, _business_id: str) -> int:
    """Return how many packs wait for this person, up to what a badge shows."""
    return modules.bounded(for_person(person, access.roles_of(person)))


def concerns() -> list[str]:
    """Describe stopped packs and their causes for the operators' page, naming the first ones."""
    stopped = Pack.objects.filter(status__in=STOPPED).select_related("business").order_by("pk")
    named = [
        f"{pack.number} of {pack.business.name}: {pack.get_status_display().lower()}. "
        f"{Truncator(pack.trouble).chars(CAUSE)}"
        for pack in stopped[:NAMED]
    ]
    more = stopped.count() - len(named)
    return (
        [*named, f"{more} more packs have stopped. Open Packs and choose the stage Stopped."]
        if more
        else named
    )


def _stopped(roles: frozenset[Role]) -> Q:
    """Match stopped packs that this person can retry or send back for changes."""
    found = Q(status__in=STOPPED) if access.allows(roles, Permission.PACK_OPERATE) else Q(pk=None)
    if access.allows(roles, Permission.APPLICATION_RETURN):
        found |= Q(status=S.QUARANTINED, application__status=ApplicationStatus.CLEARED)
    return found


def _in_this_capacity(role: DecisionRole, person: User) -> Q:
    """Exclude cases on which this person already acts in another capacity."""
    cases = Reviewer.objects.filter(application=OuterRef("application"), person=person)
    return Q(~Exists(cases.exclude(capacity=role)))


def _takes_an_approval(role: DecisionRole) -> Q:
    here = Q(status=S.IN_APPROVAL, application__status=ApplicationStatus.CLEARED)
    most = {str(tier): required_approvals(tier)[role] for tier in Tier}
    places = [Q(tier=tier, **{f"given_{role}__lt": needed}) for tier, needed in most.items()]
    left = Q(pk=None)
    for place in places:
        left |= place
    return here & left


def _counted() -> "QuerySet[Pack]":
    """Return all packs, annotated with the approvals given to the newest revision by role."""
    approved = Decision.objects.filter(revision=OuterRef("revision"), verdict=DecisionKind.APPROVED)
    given = {f"given_{role}": count_of(approved.filter(role=role)) for role in APPROVERS}
    return Pack.objects.annotate(**given)


def _line(pack: Any) -> WaitingPack:
    since = pack.approved_at or pack.signed_at or pack.offered_at or pack.created_at
    return WaitingPack(pack, _waits_for(pack), since)


def _waits_for(pack: Any) -> str:
    """Return who acts next."""
    if pack.status == S.IN_APPROVAL:
        needed = required_approvals(pack.tier)
        open_ = [
            str(role.label) for role in APPROVERS if getattr(pack, f"given_{role}") < needed[role]
        ]
        return ", ".join(open_)
    return statuses.PACK[pack.status].staff.waits_for
