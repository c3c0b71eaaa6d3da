"""Take a demo business from an executed pack to its keys, sandbox and live.

Each step first checks whether it is done, so that an interrupted load can continue.
"""

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings

from api.demo import live_money, sandbox_calls, saved_keys, webhooks
from apikeys.allowlist import allowlist
from apikeys.going_live import requests
from apikeys.going_live.models import GoLiveRequest
from apikeys.keys import keys
from apikeys.lifecycle import Environment
from apikeys.models import Grant
from console.accounts.models import Business, User
from console.core import clock
from console.events import outbox

# The demo's live API is called from the same machine.
NETWORKS = ("127.0.0.1/32", "::1/128")
LIFE = timedelta(days=180)
_NOTE = "Forty kiosks want to start; what they did in the sandbox fits what they told us."
_REASON = "Agreement, checks, endpoint and calls are in order."


@dataclass(frozen=True)
class GoLivePeople:
    """The people of a business, and of our staff, who take part in going live."""

    owner: User
    developer: User
    manager: User
    head: User


def issue_key(grant: Grant, kept_as: str, *, by: User) -> str:
    """Return the grant's demo key with its secret, issuing and saving one if there is none."""
    if plain := saved_keys.kept_key(kept_as):
        return plain
    expires_at = clock.now() + LIFE
    key, minted = keys.issue(
        grant, name="Demo key", scopes=grant.scopes(), expires_at=expires_at, by=by
    )
    keys.note_stored(key, by=by)
    saved_keys.keep(kept_as, minted.plain)
    return minted.plain


def meet_conditions(business: Business, key: str, people: GoLivePeople, *, verified: bool) -> None:
    """Meet the conditions for live, with the sandbox `key`; `verified` is for the endpoint."""
    sandbox, live = _grant(business, Environment.SANDBOX), _grant(business, Environment.LIVE)
    if not live.networks:
        allowlist.set_of_business(live, NETWORKS, by=people.owner)
    webhooks.load_live(business, verified=verified, by=people.developer)
    sandbox_calls.call_each_product(business, sandbox.products, key)
    outbox.settle()


def go_live(business: Business, people: GoLivePeople) -> None:
    """Take every product to live but one, which is requested; and issue the live key."""
    request = GoLiveRequest.objects.of(business).last()
    if request is None:
        *first, _later = requests.choices(business)
        request = requests.ask(business, first, by=people.owner)
    if request.is_open and request.proposed_at is None:
        request = requests.propose(request, note=_NOTE, by=people.manager)
    if request.is_open:
        request = requests.approve(request, reason=_REASON, by=people.head)
    if request.waits_for_confirmation:
        requests.confirm(request, by=people.owner)
    later = requests.choices(business)
    if later and not GoLiveRequest.objects.of(business).filter(products=later).exists():
        requests.ask(business, later, by=people.owner)
    outbox.settle()
    issue_key(_grant(business, Environment.LIVE), "live", by=people.developer)
    live_money.load(business, by=people.developer)


def is_possible() -> bool:
    """Tell whether this machine can call live and reach webhook endpoints."""
    return settings.WEBHOOK_ALLOW_HTTP and bool(settings.LIVE_NETWORKS_ALLOW_CIDRS)


def _grant(business: Business, environment: Environment) -> Grant:
    return Grant.objects.get(business=business, environment=environment)
