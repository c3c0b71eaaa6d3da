"""The signatory named in the answers, and their invitation."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from console.accounts import access, members
from console.accounts.actors import Actor
from console.accounts.lifecycle import Access
from console.accounts.models import Business, Invitation, User
from console.accounts.roles import Permission
from console.core.folding import Likeness, likeness
from console.core.links import holds_web_address
from console.core.refusals import Blocker
from console.core.text import isolated
from onboarding.intake.answer_set import AnswerSet
from onboarding.models import Application

WHO, NAME, EMAIL = "ow_signatory", "ow_signatory_name", "ow_signatory_email"
ME, COLLEAGUE = "me", "colleague"


@dataclass(frozen=True)
class Named:
    """The person whom the answers name as signatory."""

    name: str
    email: str

    def is_named_by(self, invitation: Invitation) -> bool:
        same_name = likeness(invitation.name, self.name) is Likeness.SAME
        return invitation.email == self.email and same_name


@dataclass(frozen=True)
class NamedSignatory:
    """The signatory as pages show them, with the newest invitation."""

    name: str
    email: str
    may_sign: bool
    invitation: Invitation | None
    can_be_invited: bool


def named(given: AnswerSet) -> Named | None:
    """Return the named signatory: the member who chose “I sign”, or the colleague entered."""
    row = given.rows.get(WHO)
    if row is not None and row.value == ME and row.by_id is not None:
        return Named(row.by.name, row.by.email)
    name, email = given.values.get(NAME), given.values.get(EMAIL)
    if not name or not email:
        return None
    return Named(str(name), str(email).strip().lower())


def completed(given: AnswerSet) -> dict[str, str]:
    """Return the name and address behind “I sign”, which are frozen with the answers."""
    who = named(given)
    if who is None or given.values.get(WHO) != ME:
        return {}
    return {NAME: who.name, EMAIL: who.email}


def blockers(application: Application, given: AnswerSet) -> list[Blocker]:
    """Return why “I sign” is invalid: the member has left, or their name looks like a link.

    The name does not matter if they may sign already, because they get no invitation.
    """
    row = given.rows.get(WHO)
    if row is None or row.value != ME or row.by_id is None:
        return []
    who = Named(row.by.name, row.by.email)
    if not access.roles_of(row.by, application.business):
        said = _("%(name)s chose “I sign” but has left the business. Choose a new signatory.") % {
            "name": isolated(who.name)
        }
    elif holds_web_address(who.name) and not _may_sign(who, application.business):
        said = _(
            "%(name)s chose “I sign”, but this name contains a web address. Choose “A "
            "colleague signs” and enter the name without it."
        ) % {"name": isolated(who.name)}
    else:
        return []
    return [Blocker(WHO, _("Ownership: %(said)s") % {"said": said})]


def named_signatory(application: Application, given: AnswerSet) -> NamedSignatory | None:
    """Return the signatory and whether they can sign, or None if none is named."""
    who = named(given)
    if who is None:
        return None
    invitation = application.invitation
    if invitation is not None and not who.is_named_by(invitation):
        invitation = None
    may_sign = _may_sign(who, application.business)
    active = application.business.status == Access.ACTIVE
    return NamedSignatory(who.name, who.email, may_sign, invitation, active and not may_sign)


def invite(application: Application, who: Named, *, inviter: User, by: Actor) -> bool:
    """Send the invitation, replacing an earlier one. Return whether one was sent.

    Somebody who may already sign needs none. The caller has locked the application.
    """
    if _may_sign(who, application.business):
        return False
    take_back(application, by=by)
    application.invitation = members.invite_signatory(
        application.business, email=who.email, name=who.name, inviter=inviter, by=by
    )
    application.save(update_fields=["invitation"])
    return True


def keep_invited(application: Application, who: Named, *, inviter: User, by: Actor) -> None:
    """Send the invitation unless one is open. Suspended businesses invite nobody."""
    earlier = application.invitation
    is_invited = earlier is not None and earlier.is_open and who.is_named_by(earlier)
    if application.business.status == Access.ACTIVE and not is_invited:
        invite(application, who, inviter=inviter, by=by)


def follow(application: Application, given: AnswerSet, *, by: User) -> None:
    """Withdraw the invitation if the answers now name somebody else, or nobody."""
    earlier = application.invitation
    if earlier is not None and earlier.is_open:
        who = named(given)
        if who is None or not who.is_named_by(earlier):
            take_back(application, by=by)


def take_back(application: Application, *, by: Actor) -> None:
    """Withdraw the application's invitation, if one is open."""
    if application.invitation is not None:
        members.take_back_signatory(application.invitation, by=by)


def _may_sign(who: Named, business: Business) -> bool:
    person = User.objects.filter(email=who.email).first()
    return person is not None and access.can(person, Permission.PACK_SIGN, business)
