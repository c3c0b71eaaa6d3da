"""can() and require(): the only place that decides who may."""

from django.utils.translation import gettext as _

from console.accounts.actors import SYSTEM, Actor
from console.accounts.models import Business, Membership, Participant, User
from console.accounts.roles import GRANTS, Permission, Role
from console.core.refusals import NotAllowed


def roles_of(user: User, business: Business | None = None) -> frozenset[Role]:
    """Return a person's roles for a business; without one, their roles on our staff."""
    held = Membership.objects.of(user, business).values_list("role", flat=True)
    return frozenset(Role(role) for role in held)


def allows(roles: frozenset[Role], permission: Permission) -> bool:
    """Tell whether any of the roles brings the permission."""
    return any(permission in GRANTS[role] for role in roles)


def can(user: User, permission: Permission, business: Business | None = None) -> bool:
    return allows(roles_of(user, business), permission)


def require(by: Actor, permission: Permission, business: Business | None = None) -> None:
    """Refuse unless they may do that, for this business or as one of our staff.

    SYSTEM needs no permission; whoever else acts without an account has none.
    """
    if by is SYSTEM or (isinstance(by, User) and can(by, permission, business)):
        return
    raise NotAllowed(_("Your role does not include this. Ask somebody with the right role."))


def has_belonged(user: User, business: Business) -> bool:
    """Tell whether a person ever belonged to a business, answered, submitted or signed for it."""
    return Participant.objects.of(user, business).exists()


def require_outsider(user: User, business: Business) -> None:
    """Refuse whoever ever belonged to the business that our staff decides about."""
    if has_belonged(user, business):
        raise NotAllowed(
            _("You belonged to this business. Somebody else on our staff must decide.")
        )


def is_staff(user: User) -> bool:
    return bool(roles_of(user))
