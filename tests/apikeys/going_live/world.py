"""Businesses on their way to live: factories for each condition and the people who agree."""

from dataclasses import dataclass
from datetime import timedelta

from agreements.lifecycle import PackStatus
from apikeys.allowlist import allowlist
from apikeys.going_live import conditions, live_readiness, requests
from apikeys.going_live.models import FirstSandboxCall, GoLiveRequest
from apikeys.lifecycle import Environment
from apikeys.models import Grant
from apikeys.webhooks import endpoints
from apikeys.webhooks.models import WebhookEndpoint
from console.accounts.actors import SYSTEM
from console.accounts.models import Business, User
from console.accounts.roles import Role
from console.core import clock
from onboarding.checks import waivers
from onboarding.lifecycle import CheckStatus
from onboarding.models import Check
from tests import factories
from tests.apikeys.webhooks.world import an_endpoint

NOTE = "A pilot with forty shops; the traffic of the sandbox fits."
NETWORK = "9.9.9.0/24"


@dataclass(frozen=True)
class LiveWorld:
    """A business that is ready for live, and the people on both sides who agree to it."""

    business: Business
    owner: User
    manager: User
    head: User

    @property
    def live(self) -> Grant:
        return Grant.objects.get(business=self.business, environment=Environment.LIVE)

    @property
    def sandbox(self) -> Grant:
        return Grant.objects.get(business=self.business, environment=Environment.SANDBOX)


def a_ready_business() -> LiveWorld:
    """Return an executed business that meets every condition."""
    pack = factories.a_pack(at=PackStatus.EXECUTED)
    factories.settle()
    make_ready(pack.business)
    world = _with_people(pack.business)
    assert live_readiness.blockers(world.business, world.sandbox.products) == []
    return world


def make_ready(business: Business) -> None:
    """Make an executed business meet every condition of live."""
    owner = factories.owner_of(business)
    held = {grant.environment: grant for grant in Grant.objects.of(business)}
    allowlist.set_of_business(held["live"], [NETWORK], by=owner)
    an_endpoint(business, environment=Environment.LIVE, verified=True)
    for product in held["sandbox"].products:
        call(business, product)


def call(business: Business, product: str) -> None:
    """Record the first successful sandbox call of a product."""
    FirstSandboxCall.objects.create(
        business=business, product=product, request_id=f"req_{business.pk:026x}",
        operation=f"{product}.list", at=clock.now(),
    )  # fmt: skip


def a_request(world: LiveWorld, at: str = "requested") -> GoLiveRequest:
    """Return a request at that step: requested, proposed, approved or confirmed."""
    request = requests.ask(world.business, ["customers"], by=world.owner)
    if at == "requested":
        return request
    request = requests.propose(request, note=NOTE, by=world.manager)
    if at == "proposed":
        return request
    request = requests.approve(request, reason="All in order.", by=world.head)
    return request if at == "approved" else requests.confirm(request, by=world.owner)


def asked(business: Business) -> GoLiveRequest:
    """Return a request of an executed business, which is made ready first."""
    make_ready(business)
    return requests.ask(business, ["customers"], by=factories.owner_of(business))


def a_live_business() -> LiveWorld:
    """Return a business whose live is open."""
    world = a_ready_business()
    a_request(world, "confirmed")
    factories.settle()
    return world


def go_live(business: Business) -> None:
    """Make an executed business ready and let it go live."""
    make_ready(business)
    a_request(_with_people(business), "confirmed")


def lose_and_mend(business: Business) -> None:
    """Make live lose a condition, and meet it again afterwards."""
    owner = factories.owner_of(business)
    endpoint = WebhookEndpoint.objects.of(business).get(environment=Environment.LIVE)
    endpoints.pause(endpoint, by=owner)
    conditions.compare(business, by=SYSTEM)
    endpoints.resume(endpoint, by=owner)
    conditions.compare(business, by=SYSTEM)


def waive_a_check(business: Business) -> None:
    """Let two people waive a failed check."""
    check = Check.objects.filter(application__business=business).in_order()[0]
    for status in (CheckStatus.RUNNING, CheckStatus.FAILED):
        Check.objects.filter(pk=check.pk).update(status=status)
    first, second = (factories.one_of_staff(Role.COMPLIANCE) for _ in range(2))
    ends_at = clock.now() + timedelta(days=30)
    waiver = waivers.propose(check, reason=NOTE, ends_at=ends_at, by=first)
    waivers.decide(waiver, confirmed=True, reason=NOTE, by=second)


def _with_people(business: Business) -> LiveWorld:
    return LiveWorld(
        business,
        factories.owner_of(business),
        factories.one_of_staff(Role.ACCOUNT_MANAGER),
        factories.one_of_staff(Role.HEAD_OF_COMPLIANCE),
    )
