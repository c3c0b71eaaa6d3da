"""The demo businesses, their people, and the objects in their page addresses."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction
from django.test import Client
from django.urls import reverse

from api.demo import people as cast
from api.demo import world
from api.demo.businesses import BUSINESSES
from apikeys.suspension import suspension
from console.accounts import email_changes, passwords, signup
from console.accounts.models import Business, User
from console.accounts.roles import Role
from console.core import clock
from console.launch.errors import Trouble
from console.publishing.models import Publication
from console.shell.models import DemoMail
from onboarding.evidence import files
from onboarding.matches.models import MatchDecision, PossibleMatch
from onboarding.models import Application, Check
from onboarding.questionnaire.loading import EDITIONS
from onboarding.screening.models import ListVersion, Rescreening
from tests import factories
from tests.browser import Visitor
from tests.matrices.world import World, values_of
from tests.onboarding.evidence.documents import a_pdf
from tests.onboarding.information.asking import a_request
from tests.onboarding.screening import listed

_PAUSED = "Paused Goods Ltd"


@dataclass(frozen=True)
class DemoState:
    """A demo business: its name and stage, its people, and the values for its page addresses."""

    name: str
    world: World


def states() -> list[DemoState]:
    """Return the demo businesses, most advanced first."""
    prepare()
    ids = world.made()
    if not ids:
        raise Trouble("The console that runs has no demo world: start it with DEMO=1.")
    stages = {demo.key: demo.stage.replace("_", " ") for demo in BUSINESSES}
    found = [_state(key, stages[key], business_id) for key, business_id in ids.items()]
    found.sort(key=lambda state: -len(state.world.values))
    return [*found, _paused(found[0].world.people)]


def _state(key: str, stage: str, business_id: str) -> DemoState:
    business = Business.objects.get(public_id=business_id)
    owner = factories.owner_of(business)
    people = {
        str(role): User.objects.get(email=person.email)
        for person in reversed(cast.EVERYONE)
        if person.business in ("", key)
        for role in person.roles
    }
    values = values_of(business)
    # The reset link expires at the next sign-in, so use the developer, whom the gallery never
    # signs in. A business that has just begun has none.
    if away := people.get(str(Role.DEVELOPER)):
        token = passwords.reset_token(away)
        values["accounts:reset"] = {"person_id": away.public_id, "token": token}
    if newcomer := User.objects.filter(email_confirmed_at=None).first():
        values["accounts:confirm_email"] = {"token": signup.confirmation_token(newcomer)}
    version = EDITIONS.versions()[0]
    if proposal := Publication.objects.filter(kind=EDITIONS.key, version=version).first():
        values["publication_id"] = proposal.public_id
    if mail := DemoMail.objects.order_by("-pk").first():
        values["mail_id"] = mail.public_id
    return DemoState(
        f"{business.name}, {stage}", World(business, business, people, owner, values, {})
    )


@transaction.atomic
def prepare() -> None:
    """Take the steps that the demo leaves out, so that their pages can be shown.

    Once is enough, except for the match: the demo may have run its check again.
    """
    _prepare_match(Business.objects.get(public_id=world.made()["kettle"]))
    if Business.objects.filter(name=_PAUSED).exists():
        return
    live = Business.objects.get(public_id=world.made()["kettle"])
    owner, application = factories.owner_of(live), Application.objects.of(live)[0]
    email_changes.ask(owner, f"new-{owner.email}", by=owner)
    files.add(application, a_pdf(), name="passport.pdf", kind="passport", by=owner)
    a_request(application)
    factories.proposed(EDITIONS, EDITIONS.versions()[0])
    paused = factories.a_business(_PAUSED)
    (head,) = (one.email for one in cast.STAFF if Role.HEAD_OF_COMPLIANCE in one.roles)
    suspension.suspend(paused, reason="Nobody answers.", by=User.objects.get(email=head))


def _prepare_match(live: Business) -> None:
    """Let a screening check of the business name a possible match with decisions."""
    checks = Check.objects.filter(application__business=live, kind="screening")
    decided = MatchDecision.objects.filter(decided_check__in=checks).order_by("-pk").first()
    if decided and PossibleMatch.objects.of(decided.decided_check).filter(pk=decided.match_id):
        return
    emails = [one.email for one in cast.STAFF if Role.COMPLIANCE in one.roles]
    reviewers = list(User.objects.filter(email__in=emails))
    listed.a_cleared_match(checks.in_order()[0], reviewers)
    # The demo would screen everybody against this version, and not find the match.
    Rescreening.objects.create(
        version=ListVersion.objects.latest("pk"),
        party_count=0,
        began_at=clock.now(),
        ended_at=clock.now(),
    )


def _paused(people: dict[str, User]) -> DemoState:
    business = Business.objects.get(name=_PAUSED)
    owner = factories.owner_of(business)
    held = people | {str(Role.OWNER): owner}
    return DemoState(_PAUSED, World(business, business, held, owner, values_of(business), {}))


def _sign_in_without_a_code(visitor: Visitor, _client: Client) -> None:
    visitor.go("/sign-in/")
    visitor.page.get_by_label("E-mail address").fill(cast.STAFF[0].email)
    visitor.page.get_by_label("Password").fill(cast.PASSWORD)
    visitor.press("Sign in")


def _send_a_form_too_late(_visitor: Visitor, client: Client) -> None:
    factories.long_ago(client)
    client.post(reverse("accounts:begin_authenticator"), headers={"host": "localhost"})
    factories.just_now(client)


# Steps required before a page can be shown.
BEFORE: dict[str, Callable[[Visitor, Client], None]] = {
    "accounts:code": _sign_in_without_a_code,
    "accounts:resume": _send_a_form_too_late,
}
# Addresses that only lead on to another page.
LEADS_ON = {"agreements:next_case"}
