"""Give a person a role on our staff: from the command line only, by whoever runs the machine."""

from django.db import transaction

from console.accounts.models import Membership, User
from console.accounts.roles import STAFF, Role
from console.audit import log as audit
from console.core.refusals import NotAllowed


@transaction.atomic
def give_role(person: User, role: Role, *, by: User | None) -> Membership:
    """Give a role on our staff. Having it twice is having it once."""
    if role not in STAFF:
        raise NotAllowed("That role is given in a business.")
    membership, made = Membership.objects.get_or_create(user=person, business=None, role=role)
    if made:
        audit.record("staff.role_given", person, by=by, after={"role": str(role)})
    return membership
