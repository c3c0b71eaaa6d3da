"""The current viewer for page templates: name, roles, businesses and permissions."""

from datetime import timedelta

from django.http import HttpRequest
from django.urls import reverse

from console.accounts import access, middleware
from console.accounts.lifecycle import Access
from console.accounts.models import Membership, User
from console.accounts.roles import Permission, Role
from console.shell.viewer import Viewer, ViewerBusiness


def visitor(request: HttpRequest) -> Viewer | None:
    """Return the signed-in user with all their roles, read in one query, or None."""
    user = getattr(request, "user", None)
    if not isinstance(user, User):
        return None
    rows = Membership.objects.filter(user=user).select_related("business")
    memberships = list(rows.order_by("business__name", "pk"))
    return Viewer(
        name=user.name,
        email=user.email,
        staff_role=", ".join(m.get_role_display() for m in memberships if m.business is None),
        places=tuple(_places(memberships)),
        may=_Rights(memberships).may,
        time_zone=user.time_zone,
        idle_seconds=int(_idle(memberships).total_seconds()),
    )


def _idle(memberships: list[Membership]) -> timedelta:
    of_staff = any(membership.business is None for membership in memberships)
    return (middleware.STAFF if of_staff else middleware.BUSINESS)[0]


def _places(memberships: list[Membership]) -> list[ViewerBusiness]:
    roles: dict[str, list[str]] = {}
    businesses = {m.business.public_id: m.business for m in memberships if m.business}
    for membership in memberships:
        if membership.business:
            held = roles.setdefault(membership.business.public_id, [])
            held.append(membership.get_role_display())
    return [
        ViewerBusiness(
            row=business,
            public_id=public_id,
            name=business.name,
            role=", ".join(roles[public_id]),
            url=reverse("accounts:business", args=[public_id]),
            stopped="" if business.status == Access.ACTIVE else business.status,
            stopped_at=business.status_changed_at,
        )
        for public_id, business in businesses.items()
    ]


class _Rights:
    """A user's permissions by business, from memberships that were already read."""

    def __init__(self, memberships: list[Membership]) -> None:
        self.roles: dict[str | None, frozenset[Role]] = {}
        for membership in memberships:
            place = membership.business.public_id if membership.business else None
            held = self.roles.get(place, frozenset())
            self.roles[place] = held | {Role(membership.role)}

    def may(self, permission: str, business_id: str | None) -> bool:
        roles = self.roles.get(business_id, frozenset())
        return access.allows(roles, Permission(permission))
