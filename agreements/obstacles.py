"""What a person must still do before they can sign, each with the way to do it."""

from dataclasses import dataclass

from django.urls import reverse

from agreements import signing
from agreements.models import Document, Pack
from agreements.papers import Paper, next_unread
from console.accounts import access, factors
from console.accounts.models import User
from console.accounts.roles import Permission, Role
from console.core.refusals import Blocker


@dataclass(frozen=True)
class Obstacle:
    """One thing in the way, in words, and the link that leads to its end."""

    message: str
    url: str = ""
    action: str = ""


def of(pack: Pack, papers: list[Paper], person: User, roles: frozenset[Role]) -> list[Obstacle]:
    """Return everything between this person and their signature, in the order to clear it."""
    may_read = access.allows(roles, Permission.PACK_READ)
    following = next_unread(pack, papers) if may_read else None
    found = [_obstacle(blocker, pack, following) for blocker in signing.blockers(pack, person)]
    if not access.allows(roles, Permission.PACK_SIGN):
        message = "Your role cannot sign. An owner of the business can give you the role signatory."
        found.append(Obstacle(message, reverse("accounts:team", args=_at(pack)), "See the team"))
    elif factors.authenticator_of(person) is None:
        message = "Signing takes a one-time code. Set up an authenticator app first."
        found.append(Obstacle(message, reverse("accounts:authenticator"), "Set it up"))
    return found


def _obstacle(blocker: Blocker, pack: Pack, following: Document | None) -> Obstacle:
    if blocker.code == "unread" and following:
        url = reverse("agreements:document", args=[*_at(pack), following.public_id])
        return Obstacle(blocker.message, url, "Read the next one")
    if blocker.code == "signatory":
        return Obstacle(
            blocker.message, reverse("accounts:team", args=_at(pack)), "Invite them to the team"
        )
    if blocker.code == "application":
        url = reverse("onboarding:access", args=_at(pack))
        return Obstacle(blocker.message, url, "See the application")
    return Obstacle(blocker.message)


def _at(pack: Pack) -> list[str]:
    return [pack.business.public_id]
