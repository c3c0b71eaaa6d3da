"""Members of a business: inviting, joining, changing roles and removing."""

from collections.abc import Collection, Iterable
from datetime import timedelta

from django.core import signing
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from console.accounts import access, business_access, joining, recipients
from console.accounts.actors import Actor
from console.accounts.models import Business, Invitation, Membership, User
from console.accounts.roles import BUSINESS, Permission, Role, holders
from console.accounts.signup import LinkSpent
from console.audit import log as audit
from console.core import clock
from console.core.links import refuse_web_address
from console.core.refusals import NotAllowed, Refused, Stale, WrongStatus
from console.core.text import isolated
from console.events import outbox as events

_SALT = "accounts.invitation"
OPEN_DAYS = 14
SPENT = gettext_noop(
    "This invitation no longer works. If you accepted it, sign in. Otherwise ask for a new one."
)


class AlreadyHere(Refused):
    """The invited address already belongs to a member of the business."""

    code = "already_here"


class LastOwner(Refused):
    """A business must keep at least one owner."""


@transaction.atomic
def invite(business: Business, *, email: str, role: Role, by: User) -> Invitation:
    """Invite an address to a role, replacing any open invitation to the same address."""
    business = Business.objects.locked(business)
    _may_give(by, business, role)
    email = email.strip().lower()
    if Membership.objects.filter(business=business, user__email=email).exists():
        raise AlreadyHere(
            _("%(email)s is in the team already. Change their roles there.") % {"email": email}
        )
    _require_open(business, role, None)
    for earlier in Invitation.objects.open().filter(business=business, email=email):
        _may_give(by, business, Role(earlier.role))
        recipients.withdraw(earlier, by=by)
    return _offer(business, email, role, inviter=by, by=by)


@transaction.atomic
def invite_signatory(
    business: Business, *, email: str, name: str, inviter: User, by: Actor
) -> Invitation:
    """Invite the signatory named in an application. The caller has checked permissions.

    The invitation is in the inviter's name, while `by` is SYSTEM if a scheduled job sends it.
    """
    business = Business.objects.locked(business)
    _require_open(business, Role.SIGNATORY, None)
    return _offer(business, email, Role.SIGNATORY, name=name, inviter=inviter, by=by)


def _offer(
    business: Business, email: str, role: Role, *, inviter: User, by: Actor, name: str = ""
) -> Invitation:
    recipients.count_invitation(business, email, by=by)
    refuse_web_address(name)
    invitation = Invitation.objects.create(
        business=business,
        email=email,
        role=role,
        name=name,
        invited_by=inviter,
        expires_at=clock.now() + timedelta(days=OPEN_DAYS),
    )
    audit.record("member.invited", invitation, by=by, after={"role": str(role)})
    events.publish("member.invited", invitation)
    return invitation


def invitation_token(invitation: Invitation) -> str:
    """Return the token for the link in the e-mail. It is signed, so nothing is stored."""
    return signing.dumps(invitation.public_id, salt=_SALT)


def find_invitation(token: str) -> Invitation:
    """Return the open invitation for a link's token, or raise LinkSpent."""
    try:
        public_id = signing.loads(token, salt=_SALT, max_age=OPEN_DAYS * 24 * 3600)
    except signing.BadSignature:
        raise LinkSpent(_(SPENT)) from None
    found = Invitation.objects.open().select_related("business", "invited_by")
    invitation = found.filter(public_id=public_id).first()
    if invitation is None:
        raise LinkSpent(_(SPENT))
    return invitation


def accepted_before(token: str, person: User) -> Business | None:
    """Return the business this user joined with this link and still belongs to, or None."""
    try:
        public_id = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        return None
    rows = Business.objects.of(person).filter(
        invitation__public_id=public_id,
        invitation__email=person.email,
        invitation__accepted_at__isnull=False,
    )
    return rows.first()


@transaction.atomic
def accept(token: str, *, by: User) -> Membership:
    """Accept an invitation. Only the invited address may accept it."""
    invitation = find_invitation(token)
    business = Business.objects.locked(invitation.business)
    rows = Invitation.objects.open().select_for_update(no_key=True, of=("self",))
    held = rows.filter(pk=invitation.pk).first()
    if held is None:
        raise LinkSpent(_(SPENT))
    if by.email != held.email:
        raise NotAllowed(
            _("This invitation is for %(email)s. Sign in with that address.")
            % {"email": held.email}
        )
    _require_open(business, Role(held.role), by)
    held.accepted_at = clock.now()
    held.save(update_fields=["accepted_at"])
    membership, _created = Membership.objects.get_or_create(
        user=by, business=business, role=held.role
    )
    audit.record("member.joined", membership, by=by, after={"role": held.role})
    events.publish("member.joined", membership)
    return membership


@transaction.atomic
def withdraw_invitation(invitation: Invitation, *, by: User) -> None:
    """Withdraw an invitation; its link stops working. Requires the right to give its role."""
    _may_give(by, invitation.business, Role(invitation.role))
    recipients.withdraw(invitation, by=by)
    invitation.refresh_from_db(fields=["accepted_at"])
    if invitation.accepted_at is not None:
        raise WrongStatus(
            _("%(email)s has already accepted this invitation. Remove them from the team instead.")
            % {"email": invitation.email}
        )


@transaction.atomic
def take_back_signatory(invitation: Invitation, *, by: Actor) -> None:
    """Withdraw the invitation of a replaced signatory. The caller has checked permissions."""
    recipients.withdraw(invitation, by=by)


@transaction.atomic
def set_roles(
    business: Business,
    person: User,
    roles: Iterable[Role],
    *,
    seen: Collection[str] = (),
    by: User,
) -> None:
    """Replace a user's roles in a business, at once. An empty list removes the user.

    `seen` are the roles that the page showed, if any. Raises Stale if they have changed since.
    """
    business = Business.objects.locked(business)
    was, wanted = access.roles_of(person, business), frozenset(roles)
    if not was:
        raise Refused(_("This person does not belong to the business."))
    if seen and was not in ({*seen}, wanted):
        raise Stale(
            _("Somebody changed the roles of %(name)s after you opened this page.")
            % {"name": isolated(person.name)}
        )
    for role in was ^ wanted:
        _may_give(by, business, role)
    for role in wanted - was:
        _require_open(business, role, person)
    held = Membership.objects.of(person, business)
    held.exclude(role__in=wanted).delete()
    Membership.objects.bulk_create(
        Membership(user=person, business=business, role=role) for role in wanted - was
    )
    if not Membership.objects.filter(business=business, role=Role.OWNER).exists():
        raise LastOwner(_("A business needs an owner. Make somebody else an owner first."))
    _withdraw_what_they_offered(business, person, by=by)
    audit.record(
        "member.roles_changed", person, by=by, business=business,
        before={"roles": sorted(was)}, after={"roles": sorted(wanted)},
    )  # fmt: skip


def _withdraw_what_they_offered(business: Business, person: User, *, by: User) -> None:
    """Withdraw this user's open invitations to roles that they may no longer give."""
    offered = Invitation.objects.open().filter(business=business, invited_by=person)
    for invitation in offered.select_related("business"):
        try:
            _may_offer(person, invitation)
        except NotAllowed:
            recipients.withdraw(invitation, by=by)  # their own permission may be gone


def _may_offer(person: User, invitation: Invitation) -> None:
    """Raise NotAllowed if this user could not send this invitation now."""
    if invitation.name:
        access.require(person, Permission.APPLICATION_SUBMIT, invitation.business)
    else:
        _may_give(person, invitation.business, Role(invitation.role))


def _require_open(business: Business, role: Role, person: User | None) -> None:
    """Refuse roles with an objection, and roles that sign or issue keys in a suspended business."""
    opens = {Role.SIGNATORY, *holders(Permission.KEY_ISSUE)}
    if role in opens:
        business_access.require(business)
    joining.require(business, role, person)


def may_give(roles: frozenset[Role], role: Role) -> bool:
    """Tell whether a user with these roles may give and remove that role.

    Administrators manage members. Only owners give and remove the roles owner and signatory.
    """
    manages = access.allows(roles, Permission.MEMBER_MANAGE) and role in BUSINESS
    return manages and (role not in (Role.OWNER, Role.SIGNATORY) or Role.OWNER in roles)


def _may_give(by: User, business: Business, role: Role) -> None:
    """Raise NotAllowed unless this user may give and remove that role in the business."""
    access.require(by, Permission.MEMBER_MANAGE, business)
    if role not in BUSINESS:
        raise NotAllowed(_("This role does not exist in a business."))
    if not may_give(access.roles_of(by, business), role):
        raise NotAllowed(_("Only an owner can give or remove the roles owner and signatory."))
