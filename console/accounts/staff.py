"""Staff roles, given and removed from the command line, or by groups at the OpenID provider.

There is no superuser. In an emergency, somebody gets the role they need with this command. The
change is logged with its reason, every auditor is notified, and dual control still applies.
"""

from django.db import transaction
from django.db.models import QuerySet

from console.accounts.actors import Actor
from console.accounts.models import Membership, ProviderAccount, User
from console.accounts.models.folded import NameOrder
from console.accounts.roles import STAFF, Permission, Role, holders
from console.audit import log as audit
from console.core.refusals import NotAllowed
from console.events import outbox as events


@transaction.atomic
def give_role(person: User, role: Role, *, by: Actor, because: str = "") -> Membership:
    """Give a staff role. Idempotent."""
    if role not in STAFF:
        raise NotAllowed("That role is given in a business.")
    membership, made = Membership.objects.get_or_create(user=person, business=None, role=role)
    if made:
        after = {"role": str(role)}
        audit.record("staff.role_given", person, by=by, after=after, because=because)
        events.publish("staff.role_given", person, role=str(role), because=because)
    return membership


@transaction.atomic
def take_role(person: User, role: Role, *, by: Actor, because: str = "") -> None:
    """Remove a staff role, at once, even in open sessions."""
    gone, _ = Membership.objects.of(person, None).filter(role=role).delete()
    if gone:
        before = {"role": str(role)}
        audit.record("staff.role_taken", person, by=by, before=before, because=because)
        events.publish("staff.role_taken", person, role=str(role), because=because)


def addresses_of(role: Role) -> list[str]:
    """Return the e-mail addresses of all staff in a role who can sign in."""
    rows = Membership.objects.filter(business=None, role=role, user__is_active=True)
    people = [row.user for row in rows.order_by("pk").select_related("user")]
    return [person.email for person in people if _can_sign_in(person)]


def _can_sign_in(person: User) -> bool:
    return (
        person.has_usable_password()
        or person.passkeys.exists()
        or ProviderAccount.objects.filter(user=person).exists()
    )


def people_with(*permissions: Permission) -> "QuerySet[User]":
    """Return everybody on our staff whose roles bring one of these permissions, by name."""
    roles = [role for permission in permissions for role in holders(permission)]
    held = Membership.objects.staff().filter(role__in=roles)
    return User.objects.filter(is_active=True, pk__in=held.values("user")).order_by(
        NameOrder("name"), "pk"
    )
