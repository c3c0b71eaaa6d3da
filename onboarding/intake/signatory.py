"""The signatories named in the answers, and their invitations."""

from collections import Counter
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
from onboarding.evidence import authority
from onboarding.evidence.models import EvidenceFile, EvidenceKind
from onboarding.intake import signing_authority
from onboarding.intake.answer_set import AnswerSet
from onboarding.lifecycle import OPEN
from onboarding.models import Application

WHO, NAME, EMAIL = "ow_signatory", "ow_signatory_name", "ow_signatory_email"
OTHERS, RULE = "ow_cosignatories", "ow_signing_rule"
ME, COLLEAGUE = "me", "colleague"
PAIR = "pair"


@dataclass(frozen=True)
class Named:
    """A person whom the answers name as signatory."""

    name: str
    email: str

    def is_named_by(self, invitation: Invitation) -> bool:
        same_name = likeness(invitation.name, self.name) is Likeness.SAME
        return invitation.email == self.email and same_name


@dataclass(frozen=True)
class NamedSignatory:
    """A signatory as pages show them, with the newest invitation."""

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


def everyone(given: AnswerSet) -> list[Named]:
    """Return the signatory and everybody who signs with them."""
    first, values = named(given), given.values
    is_together = values.get(signing_authority.QUESTION) == signing_authority.TOGETHER
    others = [
        Named(row["cosignatory_name"], row["cosignatory_email"].strip().lower())
        for row in (values.get(OTHERS) or () if is_together else ())
    ]
    return [*([first] if first else []), *others]


def completed(given: AnswerSet) -> dict[str, str]:
    """Return the name and address behind “I sign”, which are frozen with the answers."""
    who = named(given)
    if who is None or given.values.get(WHO) != ME:
        return {}
    return {NAME: who.name, EMAIL: who.email}


def blockers(application: Application, given: AnswerSet) -> list[Blocker]:
    """Return why the named signatories are invalid, or “I sign” is, or their authority is missing.

    It is if the member has left, or their name looks like a link. The name does not matter if they
    may sign already, because they get no invitation.
    """
    found = [*_of_others(given), *_of_authority(application, given)]
    row = given.rows.get(WHO)
    if row is None or row.value != ME or row.by_id is None:
        return found
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
        return found
    return [Blocker(WHO, _("Ownership: %(said)s") % {"said": said}), *found]


def _of_authority(application: Application, given: AnswerSet) -> list[Blocker]:
    if not authority.is_written(given.values):
        return []
    rows = EvidenceFile.objects.of(application).stored().filter(kind=EvidenceKind.AUTHORITY)
    if rows.exists():
        return []
    said = _(
        "Ownership: the signatory has a written authority. Upload it on the page Documents, as "
        "“Authority to sign”."
    )
    return [Blocker(authority.BASIS, said)]


def _of_others(given: AnswerSet) -> list[Blocker]:
    people, found = everyone(given), []
    for email, count in Counter(who.email for who in people).items():
        if count > 1:
            said = _("Ownership: %(email)s is named twice. Each signatory signs once.")
            found.append(Blocker(OTHERS, said % {"email": email}))
    with_others = len(people) - 1
    if with_others > 1 and given.values.get(RULE) == PAIR:
        said = _("Ownership: a named pair is two people, so name one colleague.")
        found.append(Blocker(OTHERS, said))
    return found


def named_signatories(application: Application, given: AnswerSet) -> list[NamedSignatory]:
    """Return the signatories and whether they can sign."""
    active = application.business.status == Access.ACTIVE
    found = []
    for who in everyone(given):
        may_sign = _may_sign(who, application.business)
        invitation = None if may_sign else _invitation_of(application.business, who)
        can_be_invited = active and not may_sign
        found.append(NamedSignatory(who.name, who.email, may_sign, invitation, can_be_invited))
    return found


def invite(application: Application, who: Named, *, inviter: User, by: Actor) -> bool:
    """Send the invitation, replacing an earlier one. Return whether one was sent.

    Somebody who may already sign needs none. The caller has locked the application.
    """
    if _may_sign(who, application.business):
        return False
    for earlier in _sent(application.business):
        if earlier.email == who.email:
            members.take_back_signatory(earlier, by=by)
    application.invitation = members.invite_signatory(
        application.business, email=who.email, name=who.name, inviter=inviter, by=by
    )
    application.save(update_fields=["invitation"])
    return True


def keep_invited(application: Application, given: AnswerSet, *, inviter: User, by: Actor) -> None:
    """Send each signatory an invitation unless one is open. Suspended businesses invite nobody."""
    follow(application, given, by=by)
    for who in everyone(given):
        earlier = _invitation_of(application.business, who)
        is_invited = earlier is not None and earlier.is_open
        if application.business.status == Access.ACTIVE and not is_invited:
            invite(application, who, inviter=inviter, by=by)


def follow(application: Application, given: AnswerSet, *, by: Actor) -> None:
    """Withdraw the invitations of people whom the answers no longer name."""
    people = everyone(given)
    for earlier in _sent(application.business):
        if not any(who.is_named_by(earlier) for who in people):
            members.take_back_signatory(earlier, by=by)


def take_back(application: Application, *, by: Actor) -> None:
    """Withdraw the open invitations, unless they are of a later application."""
    later = Application.objects.of(application.business).filter(status__in=OPEN, withdrawn_at=None)
    if not later.exclude(pk=application.pk).exists():
        for earlier in _sent(application.business):
            members.take_back_signatory(earlier, by=by)


def _sent(business: Business) -> list[Invitation]:
    """Return the open invitations to sign."""
    rows = Invitation.objects.open().filter(business=business).exclude(name="")
    return list(rows.select_related("business").order_by("pk"))


def _invitation_of(business: Business, who: Named) -> Invitation | None:
    """Return the newest invitation to sign of this person, under this name."""
    rows = Invitation.objects.filter(business=business, email=who.email).exclude(name="")
    return next((one for one in rows.order_by("-pk") if who.is_named_by(one)), None)


def _may_sign(who: Named, business: Business) -> bool:
    person = User.objects.filter(email=who.email).first()
    return person is not None and access.can(person, Permission.PACK_SIGN, business)
