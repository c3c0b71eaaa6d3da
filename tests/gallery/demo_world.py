"""The demo businesses, their people, and the objects in their page addresses."""

from collections.abc import Callable
from dataclasses import dataclass

from api.demo import people as cast
from api.demo import world
from api.demo.businesses import BUSINESSES
from console.accounts import email_changes, passwords, signup
from console.accounts.models import Business, User
from console.accounts.roles import Role
from console.launch.errors import Trouble
from console.shell.models import DemoMail
from tests import factories
from tests.browser import Visitor
from tests.matrices.world import World, values_of


@dataclass(frozen=True)
class DemoState:
    """A demo business: its name and stage, its people, and the values for its page addresses."""

    name: str
    world: World


def states() -> list[DemoState]:
    """Return the demo businesses, most advanced first."""
    ids = world.made()
    if not ids:
        raise Trouble("The console that runs has no demo world: start it with DEMO=1.")
    stages = {demo.key: demo.stage.replace("_", " ") for demo in BUSINESSES}
    found = [_state(key, stages[key], business_id) for key, business_id in ids.items()]
    return sorted(found, key=lambda state: -len(state.world.values))


def _state(key: str, stage: str, business_id: str) -> DemoState:
    business = Business.objects.get(public_id=business_id)
    owner = factories.owner_of(business)
    people = {
        str(role): User.objects.get(email=person.email)
        for person in reversed(cast.EVERYONE)
        if person.business in ("", key)
        for role in person.roles
    }
    if not owner.email_changes.exists():
        email_changes.ask(owner, f"new-{owner.email}", by=owner)
    values = values_of(business)
    # The reset link expires at the next sign-in, so use the developer, whom the gallery never
    # signs in. A business that has just begun has none.
    if away := people.get(str(Role.DEVELOPER)):
        token = passwords.reset_token(away)
        values["accounts:reset"] = {"person_id": away.public_id, "token": token}
    if newcomer := User.objects.filter(email_confirmed_at=None).first():
        values["accounts:confirm_email"] = {"token": signup.confirmation_token(newcomer)}
    if mail := DemoMail.objects.order_by("-pk").first():
        values["mail_id"] = mail.public_id
    return DemoState(
        f"{business.name}, {stage}", World(business, business, people, owner, values, {})
    )


def _sign_in_without_a_code(visitor: Visitor) -> None:
    visitor.go("/sign-in/")
    visitor.page.get_by_label("E-mail address").fill(cast.STAFF[0].email)
    visitor.page.get_by_label("Password").fill(cast.PASSWORD)
    visitor.press("Sign in")


# Steps required before a page can be shown.
BEFORE: dict[str, Callable[[Visitor], None]] = {"accounts:code": _sign_in_without_a_code}
