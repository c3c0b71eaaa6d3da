"""The e-mail to each member of staff with the work that waits for them, by list.

It is sent once a day, and to a person with a new role. The daily one has only the lists whose work
is no turn for people who hear of each turn at once (`turns`).
"""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from console.accounts import access, staff
from console.accounts.actors import Actor
from console.accounts.models import User, WorkMail
from console.accounts.roles import Permission, Role
from console.core import clock
from console.events import outbox as events
from console.events.models import Event
from console.governance import turns
from console.shell import mail, modules
from console.shell.navigation import counted

# How many turns one digest names. The lists below count all that waits.
LISTED = 50


@dataclass(frozen=True)
class WaitingList:
    """A work list with items for a user: its module, name, the count and its path."""

    key: str
    name: str
    count: str
    path: str


@transaction.atomic
def ask_for_all(*, by: Actor) -> None:
    """Request the e-mail for every member of staff, once a day. Run by the scheduler."""
    access.require(by, Permission.OPERATE)
    midnight = datetime.combine(clock.now().date(), time(), UTC)
    for person in staff.people_with(Permission.REVIEW_VIEW):
        if not events.was_published("staff.digest_due", person, since=midnight):
            events.publish("staff.digest_due", person)


def tell(event: Event) -> None:
    """Send one user what became their turn and their work lists, unless all are empty."""
    person = User.objects.filter(public_id=event.subject_id, is_active=True).first()
    if person is None:
        return
    began = []
    waiting = waiting_lists(person)
    if person.work_mail == WorkMail.DAILY:
        began = turns.still_theirs(person, _since_the_last(event))
    else:
        told = {name for kind in turns.every() for name in kind.lists}
        waiting = [one for one in waiting if one.key not in told]
    if began or waiting:
        context = {"person": person, "turns": began, "waiting": waiting}
        mail.send("staff_digest", person.email, context)


def tell_new_role(event: Event) -> None:
    """Send one user the work lists that their new staff role brings, unless all are empty.

    Who wants one e-mail a day finds them in the next.
    """
    people = User.objects.filter(is_active=True, work_mail=WorkMail.AT_ONCE)
    person = people.filter(public_id=event.subject_id).first()
    role = Role(event.payload["role"])
    if person is None or role not in access.roles_of(person):
        return
    known = {(one.key, one.count) for one in waiting_lists(person, without=role)}
    waiting = [one for one in waiting_lists(person) if (one.key, one.count) not in known]
    if waiting:
        context = {"person": person, "role": role.label, "waiting": waiting}
        mail.send("your_role", person.email, context)


def _since_the_last(digest: Event) -> "QuerySet[Event]":
    """Return the turns that began since the last digest of the same person, oldest first."""
    own = Event.objects.filter(subject_id=digest.subject_id)
    last = own.filter(kind=digest.kind, pk__lt=digest.pk).order_by("-pk").first()
    since = last.happened_at if last else digest.happened_at - timedelta(days=1)
    began = own.filter(kind=turns.BEGAN, happened_at__gt=since, pk__lt=digest.pk)
    return began.order_by("pk")[:LISTED]


def waiting_lists(person: User, *, without: Role | None = None) -> list[WaitingList]:
    """Return the lists that have work for a user's roles, or for those without one of them."""
    roles = access.roles_of(person) - {without}

    def may(permission: str) -> bool:
        return access.allows(roles, Permission(permission))

    waiting = modules.waiting(person, may)
    return [
        WaitingList(module.key, _(module.name), counted(waiting[module.key]), reverse(module.route))
        for module in modules.all_modules()
        if waiting[module.key]
    ]
