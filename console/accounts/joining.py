"""Registry of objections that other packages have to giving a user a role in a business."""

from collections.abc import Callable

from console.accounts.models import Business, User
from console.accounts.roles import Role

# Called with the business, the role, and the user where known. Raises to refuse.
Objection = Callable[[Business, Role, User | None], None]
_objections: list[Objection] = []


def register(objection: Objection) -> None:
    """Register an objection. Called from AppConfig.ready(), nowhere else."""
    _objections.append(objection)


def require(business: Business, role: Role, person: User | None) -> None:
    """Raise the first objection to giving this role, if there is one."""
    for objection in _objections:
        objection(business, role, person)
