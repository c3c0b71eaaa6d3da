"""Who may be given which role in a business: what other packages have to say against it."""

from collections.abc import Callable

from console.accounts.models import Business, User
from console.accounts.roles import Role

# Told the business, the role, and whom it is for where that is known; refuses by raising.
Objection = Callable[[Business, Role, User | None], None]
_objections: list[Objection] = []


def register(objection: Objection) -> None:
    """Let a package object to a role. Called from AppConfig.ready(), nowhere else."""
    _objections.append(objection)


def require(business: Business, role: Role, person: User | None) -> None:
    """Refuse a role to which somebody objects."""
    for objection in _objections:
        objection(business, role, person)
