"""Separation of duties: one capacity per person and case, and nobody who acted for the business.

Every function by which staff decide on a case calls `record` before it changes anything, or
`record_unless_system` if the system may call it too.
"""

from django.utils.translation import gettext as _

from console.accounts import access
from console.accounts.actors import Actor
from console.accounts.models import Business, User
from console.accounts.roles import Role
from console.core import clock
from console.core.refusals import Blocker, NotAllowed, ReasonMissing, Refused
from console.core.text import says_something
from onboarding.lifecycle import ACTS, ActKind, Capacity
from onboarding.models import Application, CaseAct, Check, Names, Reviewer


class OtherCapacity(Refused):
    """A person who decided on a case in one capacity cannot decide on it in another."""

    code = "other_capacity"


def blockers(application: Application, capacity: Capacity, person: User) -> list[Blocker]:
    """Return why this person may not act on the case in this capacity. Empty if they may."""
    if access.roles_of(person, application.business):
        said = _("You belong to this business, so another member of staff must decide.")
        return [Blocker("belongs", said)]
    if access.has_belonged(person, application.business):
        said = _(
            "You used to belong to this business, or another account with your e-mail address did, "
            "so another member of staff must decide."
        )
        return [Blocker("belonged", said)]
    # A pending invitation does not disqualify a reviewer: a business could choose its reviewers by
    # inviting others. Accepting one does, and a reviewer who has acted on the case cannot accept
    # one.
    if Application.objects.filter(Names("business", person), pk=application.pk).exists():
        said = _("The answers name your e-mail address, so another member of staff must decide.")
        return [Blocker("named", said)]
    for reviewer in Reviewer.objects.of(application, person).select_related("person"):
        if reviewer.person != person:
            said = _(
                "You have already decided on this case with another account, %(email)s. "
                "Someone else must decide."
            ) % {"email": reviewer.person.email}
            return [Blocker("account", said)]
        if reviewer.capacity != capacity:
            said = _(
                "You have already decided on this case as %(former)s. "
                "Someone else must decide as %(capacity)s."
            ) % {"former": reviewer.get_capacity_display(), "capacity": capacity.label}
            return [Blocker("capacity", said)]
    return []


def record(
    application: Application,
    kind: ActKind,
    *,
    capacity: Capacity = Capacity.COMPLIANCE,
    check: Check | None = None,
    outcome: str = "",
    note: str = "",
    by: User,
) -> CaseAct:
    """Record an act, or refuse it, in the act's transaction and before anything changes.

    Locks the business, so that nobody can join it and review it at the same time.
    """
    assert kind in ACTS[capacity], f"{kind} is no act of {capacity}"
    Business.objects.locked(application.business)
    for blocker in blockers(application, capacity, by):
        raise (OtherCapacity if blocker.code == "capacity" else NotAllowed)(blocker.message)
    now = clock.now()
    reviewer, _is_new = Reviewer.objects.get_or_create(
        application=application, person=by, defaults={"capacity": capacity, "since": now}
    )
    return CaseAct.objects.create(
        reviewer=reviewer, kind=kind, decided_check=check, outcome=outcome, note=note, at=now,
        as_head=is_head(by),
    )  # fmt: skip


def record_unless_system(
    application: Application,
    kind: ActKind,
    *,
    check: Check | None = None,
    note: str = "",
    by: Actor,
) -> CaseAct | None:
    """Record a user's act, or refuse it. Acts of the system have no reviewer."""
    if not isinstance(by, User):
        return None
    return record(application, kind, check=check, note=note, by=by)


def is_head(person: User) -> bool:
    """Tell whether somebody is the head of compliance."""
    return Role.HEAD_OF_COMPLIANCE in access.roles_of(person)


def reason_in(note: str) -> str:
    """Return the reason for an act without spaces around it, or refuse an act without one."""
    if not says_something(reason := note.strip()):
        raise ReasonMissing(_("Say why. A sentence is enough."))
    return reason


def refuse_reviewers(business: Business, _role: Role, person: User | None) -> None:
    """Refuse a role in a business to anybody who reviewed an application of it."""
    if person is not None and Reviewer.objects.of_any_case(business, person).exists():
        raise NotAllowed(
            _(
                "You reviewed an application of this business for us, so you cannot join it. "
                "Ask the business to invite someone else."
            )
        )
