"""The current viewer for page templates: name, roles, businesses and permissions."""

from collections import defaultdict
from collections.abc import Iterable

from django.http import HttpRequest

from console.accounts import access, middleware
from console.accounts.lifecycle import Access
from console.accounts.models import Business, Membership, User
from console.accounts.models.folded import NameOrder
from console.accounts.roles import Permission, Role
from console.core import pages_above
from console.shell.viewer import Viewer, ViewerBusiness


def visitor(request: HttpRequest) -> Viewer | None:
    """Return the signed-in user with all their roles, read in one query, or None."""
    user = getattr(request, "user", None)
    if not isinstance(user, User):
        return None
    held: dict[Business | None, list[Membership]] = defaultdict(list)
    rows = Membership.objects.filter(user=user).select_related("business")
    for membership in rows.order_by(NameOrder("business__name"), "pk"):
        held[membership.business].append(membership)
    roles = {
        business and business.public_id: frozenset(Role(one.role) for one in memberships)
        for business, memberships in held.items()
    }

    def may(permission: str, business_id: str | None) -> bool:
        return access.allows(roles.get(business_id, frozenset()), Permission(permission))

    idle, _in_all = middleware.STAFF if None in held else middleware.BUSINESS
    return Viewer(
        name=user.name,
        email=user.email,
        staff_role=_named(held.get(None, ())),
        places=tuple(_place(business, held[business]) for business in held if business),
        may=may,
        time_zone=user.time_zone,
        idle_seconds=int(idle.total_seconds()),
    )


def _place(business: Business, memberships: Iterable[Membership]) -> ViewerBusiness:
    return ViewerBusiness(
        row=business,
        public_id=business.public_id,
        name=business.name,
        role=_named(memberships),
        url=pages_above.address("business_home", business.public_id),
        stopped="" if business.status == Access.ACTIVE else business.status,
        stopped_at=business.status_changed_at,
    )


def _named(memberships: Iterable[Membership]) -> str:
    return ", ".join(membership.get_role_display() for membership in memberships)
