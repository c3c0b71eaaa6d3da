"""Packs that await our staff: one person, or anyone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.text import Truncator

from agreements import statuses
from agreements.approvals.approvals import PERMISSIONS
from agreements.lifecycle import (
    OFFERED,
    OUTDATED,
    STOPPED,
    WITH_STAFF,
    DecisionRole,
    PackStatus,
)
from agreements.models import Decision, Pack
from agreements.packs.packs import NUMBER_PREFIX
from agreements.required_approvals import APPROVERS
from console.accounts import access
from console.accounts.lifecycle import Access
from console.accounts.models import Participant, User
from console.accounts.roles import Permission, Role
from console.audit import history
from console.shell.modules import May
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Reviewer

S = PackStatus
ORDER = "id"
# How many stopped packs to name to operators, and the longest cause to show, in characters.
NAMED, CAUSE = 20, 200
# Nobody can act on the packs of a business that is suspended or closed.
_HAS_ACCESS = Q(business__status=Access.ACTIVE)
STAGES = {
    "waiting": Q(status__in=WITH_STAFF),
    "in_approval": Q(status=S.IN_APPROVAL),
    "approved": Q(status__in=(S.APPROVED, S.COUNTERSIGNING)),
    "stopped": Q(status__in=STOPPED),
    "business": Q(status__in=(*OFFERED, *OUTDATED)),
    "executed": Q(status=PackStatus.EXECUTED),
    "all": Q(),
}


@dataclass(frozen=True)
class WaitingPack:
    """A pack in the list: who acts next, and since when it has its status."""

    pack: Pack
    waits_for: str
    since: datetime


def lines(packs: Iterable[Pack]) -> list[WaitingPack]:
    """Return packs that wait for our staff as list entries, without a query."""
    return [
        _line(pack, pack.approved_at or pack.signed_at or pack.offered_at or pack.created_at)
        for pack in packs
    ]


def lines_of_any(packs: Iterable[Pack]) -> list[WaitingPack]:
    """Return packs in any status as list entries, with one query for when they got it."""
    listed = list(packs)
    moved = history.status_since(pack.public_id for pack in listed)
    return [_line(pack, moved.get(pack.public_id, pack.created_at)) for pack in listed]


def rows(chosen: Mapping[str, Any], person: User, roles: frozenset[Role]) -> "QuerySet[Pack]":
    """Return the packs that match the filters."""
    stage = chosen.get("stage")
    packs = (
        Pack.objects.filter(STAGES[stage])
        if stage
        else waiting(person, partial(access.allows, roles))
    )
    if tier := chosen.get("tier"):
        packs = packs.filter(tier=tier)
    if words := (chosen.get("q") or "").strip():
        # One condition for each, because no index serves both.
        is_number = words.upper().startswith(NUMBER_PREFIX)
        named = (
            {"number": words.upper()} if is_number else {"business__name__folded__contains": words}
        )
        packs = packs.filter(**named)
    return packs.select_related("business", "application")


def waiting(person: User, may: May) -> "QuerySet[Pack]":
    """Return the packs on which a person with these permissions can act next, oldest first."""
    wanted = Q(pk=None)
    for role in APPROVERS:
        if may(PERMISSIONS[role]):
            wanted |= _takes_an_approval(role) & _in_this_capacity(role, person)
    role = DecisionRole.COUNTERSIGNATORY
    if may(PERMISSIONS[role]):
        to_countersign = Q(status=S.APPROVED, application__status=ApplicationStatus.CLEARED)
        wanted |= to_countersign & _in_this_capacity(role, person)
    mine = Decision.objects.filter(revision=OuterRef("revision"), person=person)
    own = Participant.objects.filter(business=OuterRef("business"), person=person)
    found = Pack.objects.filter(STAGES["waiting"], _HAS_ACCESS).order_by(ORDER)
    return found.filter(Q(wanted, ~Exists(mine), ~Exists(own)) | _stopped(may))


def concerns() -> list[str]:
    """Describe stopped packs and their causes for the operators' page, naming the first ones."""
    stopped = Pack.objects.filter(_HAS_ACCESS, status__in=STOPPED).order_by("pk")
    named = [
        f"{pack.number} of {pack.business.name}: {pack.get_status_display().lower()}. "
        f"{Truncator(pack.trouble).chars(CAUSE)}"
        for pack in stopped.select_related("business")[:NAMED]
    ]
    more = stopped.count() - len(named)
    return (
        [*named, f"{more} more packs have stopped. Open Packs and choose the stage Stopped."]
        if more
        else named
    )


def _stopped(may: May) -> Q:
    """Match stopped packs that this person can retry or send back for changes."""
    found = Q(status__in=STOPPED) if may(Permission.PACK_OPERATE) else Q(pk=None)
    if may(Permission.APPLICATION_RETURN):
        found |= Q(status=S.QUARANTINED, application__status=ApplicationStatus.CLEARED)
    return found


def _in_this_capacity(role: DecisionRole, person: User) -> Q:
    """Exclude cases on which this person already acts in another capacity."""
    cases = Reviewer.objects.filter(application=OuterRef("application"), person=person)
    return Q(~Exists(cases.exclude(capacity=role)))


def _takes_an_approval(role: DecisionRole) -> Q:
    return Q((f"awaits_{role}", True), application__status=ApplicationStatus.CLEARED)


def _line(pack: Any, since: datetime) -> WaitingPack:
    return WaitingPack(pack, _waits_for(pack), since)


def _waits_for(pack: Any) -> str:
    """Return who acts next."""
    if pack.status == S.IN_APPROVAL:
        return ", ".join(str(role.label) for role in APPROVERS if getattr(pack, f"awaits_{role}"))
    return statuses.PACK[pack.status].staff.waits_for
