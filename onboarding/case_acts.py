"""Four eyes on a case: one person, one capacity, and nobody who ever took part for the business.

Every verb by which one of our people decides on a case calls `record` before it changes anything;
one that the machine may call too, `record_unless_system`.
"""

from django.utils.translation import gettext as _

from console.accounts import access
from console.accounts.actors import Actor
from console.accounts.models import Business, EmailChange, User
from console.accounts.roles import Role
from console.core import clock
from console.core.refusals import Blocker, NotAllowed, Refused
from onboarding.lifecycle import ACTS, ActKind, Capacity
from onboarding.models import Application, CaseAct, Check, Reviewer


class OtherCapacity(Refused):
    """Who decides on a case in one capacity decides on it in no other."""

    code = "other_capacity"


def blockers(application: Application, capacity: Capacity, person: User) -> list[Blocker]:
    """Return why this person may not act on the case in this capacity; empty when they may."""
    if access.roles_of(person, application.business):
        said = _("You belong to this business, so another member of staff must decide.")
        return [Blocker("belongs", said)]
    if access.has_belonged(person, application.business):
        said = _("You used to belong to this business, so another member of staff must decide.")
        return [Blocker("belonged", said)]
    # An invitation alone keeps nobody away: a business would choose its judges by inviting others.
    # Who accepts one judges no more, and who has judged can accept none.
    submission = application.submission
    addresses = EmailChange.objects.addresses_of(person)
    if submission is not None and submission.signatory_email in addresses:
        said = _("The answers name you as signatory, so another member of staff must decide.")
        return [Blocker("named", said)]
    reviewer = Reviewer.objects.of(application, person).first()
    if reviewer is not None and reviewer.capacity != capacity:
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
    """Write an act down, or refuse it: in the transaction of the act, before anything changes.

    The business is held, so that nobody joins it and judges it in the same moment.
    """
    assert kind in ACTS[capacity], f"{kind} is no act of {capacity}"
    Business.objects.locked(application.business)
    for blocker in blockers(application, capacity, by):
        raise (OtherCapacity if blocker.code == "capacity" else NotAllowed)(blocker.message)
    now = clock.now()
    reviewer, _ = Reviewer.objects.get_or_create(
        application=application, person=by, defaults={"capacity": capacity, "since": now}
    )
    return CaseAct.objects.create(
        reviewer=reviewer, kind=kind, decided_check=check, outcome=outcome, note=note, at=now
    )


def record_unless_system(
    application: Application,
    kind: ActKind,
    *,
    check: Check | None = None,
    note: str = "",
    by: Actor,
) -> None:
    """Write a person's act down, or refuse it; the machine's is the act of no reviewer."""
    if isinstance(by, User):
        record(application, kind, check=check, note=note, by=by)


def refuse_reviewers(business: Business, _role: Role, person: User | None) -> None:
    """Refuse a role in a business to who decided on an application of it."""
    if person is not None and Reviewer.objects.of_any_case(business, person).exists():
        raise NotAllowed(
            _(
                "You reviewed an application of this business for us, so you cannot join it. "
                "Ask the business to invite someone else."
            )
        )
