"""Permission checks: can() and require(), the only place that decides who may do what."""

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from console.accounts.actors import SYSTEM, Actor
from console.accounts.models import Business, Membership, Participant, SamePerson, User
from console.accounts.roles import GRANTS, Permission, Role
from console.core.refusals import NotAllowed


def roles_of(user: User, business: Business | None = None) -> frozenset[Role]:
    """Return a user's roles in a business or, without one, their staff roles."""
    held = Membership.objects.of(user, business).values_list("role", flat=True)
    return frozenset(Role(role) for role in held)


def allows(roles: frozenset[Role], permission: Permission) -> bool:
    """Tell whether any of the roles grants the permission."""
    return any(permission in GRANTS[role] for role in roles)


def can(user: User, permission: Permission, business: Business | None = None) -> bool:
    return allows(roles_of(user, business), permission)


def require(by: Actor, permission: Permission, business: Business | None = None) -> None:
    """Raise NotAllowed unless the actor has the permission, in this business or as staff.

    SYSTEM needs no permission. Other actors without an account have none.
    """
    if by is SYSTEM or (isinstance(by, User) and can(by, permission, business)):
        return
    raise NotAllowed(_("Your role does not include this. Ask somebody with the right role."))


def accounts_of(person: User) -> QuerySet[User]:
    """Return a person's account and every account that ever shared a mailbox with it."""
    return User.objects.filter(SamePerson("pk", person))


def is_same_person(one: User | None, other: User) -> bool:
    """Tell whether these are one account, or two that ever shared a mailbox."""
    return one is not None and accounts_of(other).filter(pk=one.pk).exists()


def has_belonged(user: User, business: Business) -> bool:
    """Tell whether a person ever belonged to a business, or answered, submitted or signed for it.

    Another account with a mailbox of theirs counts too.
    """
    return Participant.objects.of(user, business).exists()


def require_outsider(user: User, business: Business) -> None:
    """Raise NotAllowed if a reviewer ever belonged to the business that they decide about."""
    if has_belonged(user, business):
        raise NotAllowed(
            _(
                "You belonged to this business, or another account with your e-mail address did. "
                "Somebody else on our staff must decide."
            )
        )


def is_staff(user: User) -> bool:
    return bool(roles_of(user))
