"""The daily e-mail to each member of staff: the work waiting for them, by list."""

from dataclasses import dataclass
from datetime import UTC, datetime, time

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from console.accounts import access, staff
from console.accounts.actors import Actor
from console.accounts.models import User
from console.accounts.roles import Permission
from console.core import clock
from console.events import outbox as events
from console.events.models import Event
from console.shell import mail, modules
from console.shell.navigation import counted


@dataclass(frozen=True)
class WaitingList:
    """A work list with items for a user: its name, the count and its path."""

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
    """Send one user their work lists, unless all are empty."""
    person = User.objects.filter(public_id=event.subject_id, is_active=True).first()
    if person is not None and (waiting := waiting_lists(person)):
        mail.send("staff_digest", person.email, {"person": person, "waiting": waiting})


def waiting_lists(person: User) -> list[WaitingList]:
    """Return the lists that have work for a user's roles."""
    roles = access.roles_of(person)

    def may(permission: str) -> bool:
        return access.allows(roles, Permission(permission))

    waiting = modules.waiting(person, may)
    return [
        WaitingList(_(module.name), counted(waiting[module.key]), reverse(module.route))
        for module in modules.all_modules()
        if waiting[module.key]
    ]
