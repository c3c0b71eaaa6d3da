"""What a person must still do before they can sign, each with a link."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from agreements.models import Document, Pack
from agreements.signing import confirmed_names, signature
from agreements.signing.reading_list import ListedDocument, next_unread
from console.accounts import access, factors, members
from console.accounts.models import Invitation, User
from console.accounts.roles import Permission, Role
from console.core.folding import Likeness
from console.core.refusals import Blocker
from console.shell.safe_redirects import onward_to


@dataclass(frozen=True)
class Obstacle:
    """Something that must be done before signing, with a link to do it, or a button."""

    message: str
    url: str = ""
    action: str = ""
    is_press: bool = False


def requirements_for(
    pack: Pack, listed: list[ListedDocument], person: User, roles: frozenset[Role]
) -> list[Obstacle]:
    """Return everything that this person must do before signing, in order."""
    if signature.waits_for_another(pack, person):
        return _of_others(pack, person, roles)
    may_read = access.allows(roles, Permission.PACK_READ)
    following = next_unread(pack, listed) if may_read else None
    found = [_obstacle(blocker, pack, following) for blocker in signature.blockers(pack, person)]
    if not access.allows(roles, Permission.PACK_SIGN):
        return [*found, _role(pack, person)]
    if lacks_second_factor(pack, person):
        here = reverse("agreements:pack", args=_at(pack))
        message = _(
            "You need an authenticator app or a passkey to sign. Set one up before you read."
        )
        url = onward_to("accounts:authenticator", here)
        return [Obstacle(message, url, _("Set it up")), *found]
    return found


def _of_others(pack: Pack, person: User, roles: frozenset[Role]) -> list[Obstacle]:
    """Return what is in the way of the signatory, for somebody else. Reading is not asked of them.

    Their own invitation comes first: who accepts it may be the signatory.
    """
    offered = _own_invitation(pack, person)
    may_sign = access.allows(roles, Permission.PACK_SIGN)
    asked = signature.blockers(pack, person)
    found = [_obstacle(one, pack, None) for one in asked if one.code not in ("signatory", "unread")]
    return [offered, *found] if offered and not may_sign else found


def lacks_second_factor(pack: Pack, person: User) -> bool:
    """Tell whether this person must sign but lacks the second factor that signing requires."""
    is_named = confirmed_names.named_as(pack, person)
    if not is_named or confirmed_names.compared(pack, person) is Likeness.OTHER:
        return False
    return not factors.has_second_factor(person)


def _role(pack: Pack, person: User) -> Obstacle:
    """Return how a person whose role cannot sign can get one that can."""
    if offered := _own_invitation(pack, person):
        return offered
    message = _("Your role cannot sign. An owner of the business can give you the signatory role.")
    return Obstacle(message, reverse("accounts:team", args=_at(pack)), _("See the team"))


def _own_invitation(pack: Pack, person: User) -> Obstacle | None:
    invitation = Invitation.objects.waiting_for(person).filter(business=pack.business).first()
    if invitation is None:
        return None
    url = reverse("accounts:invitation", args=[members.invitation_token(invitation)])
    return Obstacle(
        _("You have an invitation to sign. Accept it first."), url, _("See the invitation")
    )


def _obstacle(blocker: Blocker, pack: Pack, following: Document | None) -> Obstacle:
    if blocker.code == "unread" and following:
        url = reverse("agreements:document", args=[*_at(pack), following.public_id])
        return Obstacle(blocker.message, url, _("Read the next document"))
    if blocker.code == "signatory":
        url = reverse("onboarding:access", args=_at(pack))
        return Obstacle(blocker.message, url, _("See the invitation of the signatory"))
    if blocker.code == "close_name":
        url = reverse("agreements:confirm_name", args=_at(pack))
        return Obstacle(blocker.message, url, _("Both names are mine"), is_press=True)
    if blocker.code == "other_name":
        url = reverse("accounts:change_details")
        return Obstacle(blocker.message, url, _("Change your name"))
    if blocker.code in ("application", "authority"):
        url = reverse("onboarding:access", args=_at(pack))
        return Obstacle(blocker.message, url, _("See the application"))
    return Obstacle(blocker.message)


def _at(pack: Pack) -> list[str]:
    return [pack.business.public_id]
