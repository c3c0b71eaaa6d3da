"""“It is your turn”: one e-mail to each of our staff for whom something begins to wait.

An event of another package may begin turns. A turn is an event too, about the person, so each
e-mail is a delivery of its own. `mark` names the turn: a person never gets two with the same.
"""

import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from console.accounts import access, staff
from console.accounts.models import Business, User
from console.accounts.roles import Permission
from console.core.links import holds_web_address
from console.core.text import isolated
from console.events import outbox as events
from console.events import work_claims
from console.events.models import Event
from console.publishing import publications
from console.shell.modules import May

BEGAN = "turn.began"


@dataclass(frozen=True)
class StaffTurn:
    """Something that waits for a person: what it is, in a sentence, and its page."""

    mark: str
    title: str
    path: str


# Returns the turn of a person with these permissions that the subject with this public ID is now.
Find = Callable[[str, User, May], StaffTurn | None]


@dataclass(frozen=True)
class TurnKind:
    """Work whose beginning is told.

    `events`: what may make it somebody's turn.
    `permissions`: only holders of one of them can be told.
    `find`: is called again before an e-mail is sent, which is dropped if the turn is over.
    `lists`: the keys of the modules that show this work.
    """

    key: str
    events: tuple[str, ...]
    permissions: tuple[Permission, ...]
    find: Find
    lists: tuple[str, ...] = ()


_kinds: dict[str, TurnKind] = {}


def register(kind: TurnKind) -> None:
    """Register a kind of turns. Called from AppConfig.ready(), nowhere else."""
    _kinds[kind.key] = kind

    def listener(event: Event) -> None:
        begin(kind, event)

    for name in kind.events:
        events.subscribe(name, f"turns.{kind.key}", listener)


def every() -> list[TurnKind]:
    """Return every kind of turns."""
    return list(_kinds.values())


def begin(kind: TurnKind, event: Event) -> None:
    """Begin the turns of everybody for whom the subject of the event waits now.

    `by` in the event's payload names a person who knows, because they did it.
    """
    with transaction.atomic():
        work_claims.lock(work_claims.TURNS, zlib.crc32(kind.key.encode()))
        for person in staff.people_with(*kind.permissions):
            turn = kind.find(event.subject_id, person, _may(person))
            knows = event.payload.get("by") == person.public_id
            if knows or turn is None or _is_told(kind, turn, person):
                continue
            about = {"turn": kind.key, "mark": turn.mark, "about": event.subject_id}
            events.publish("turn.began", person, **about)


def _is_told(kind: TurnKind, turn: StaffTurn, person: User) -> bool:
    told = Event.objects.filter(kind=BEGAN, subject_id=person.public_id)
    return told.filter(payload__turn=kind.key, payload__mark=turn.mark).exists()


def still_theirs(person: User, began: Iterable[Event]) -> list[StaffTurn]:
    """Return the turns of a person that are not over."""
    return [turn for event in began if (turn := now(event, person))]


def name_of(business: Business) -> str:
    """Return a business's name for a title. An old name that reads as a link is left out."""
    return _("a business") if holds_web_address(business.name) else isolated(business.name)


def now(event: Event, person: User) -> StaffTurn | None:
    """Return the turn that an event began, or None if it is over or no longer this person's."""
    kind = _kinds.get(event.payload["turn"])
    if kind is None or not staff.people_with(*kind.permissions).filter(pk=person.pk).exists():
        return None
    turn = kind.find(event.payload["about"], person, _may(person))
    return turn if turn is not None and turn.mark == event.payload["mark"] else None


def _of_publications(subject_id: str, person: User, may: May) -> StaffTurn | None:
    """Return a version that somebody else proposed and this person may put in use."""
    publication = publications.waiting(person, may).filter(public_id=subject_id).first()
    if publication is None or access.is_same_person(publication.proposed_by, person):
        return None
    kind = publications.kind_of(publication)
    title = _("%(name)s %(version)s is proposed: put it in use or withdraw it") % {
        "name": kind.name,
        "version": publication.version,
    }
    return StaffTurn(subject_id, title, reverse("publishing:put_in_use", args=[subject_id]))


PUBLICATIONS = TurnKind(
    "publications",
    events=("publication.proposed",),
    permissions=(
        Permission.EDITION_PUBLISH,
        Permission.TEMPLATE_PUBLISH,
        Permission.PRICE_LIST_PUBLISH,
        Permission.RESTRICTION_CHANGE,
    ),
    find=_of_publications,
    lists=("publishing",),
)


def _may(person: User) -> May:
    roles = access.roles_of(person)
    return lambda permission: access.allows(roles, Permission(permission))
