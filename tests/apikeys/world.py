"""Factories for sandboxes and keys, without the steps to an executed pack."""

import re
from collections.abc import Callable
from datetime import timedelta

from django.db import transaction

from apikeys.grants import grants
from apikeys.keys import keys
from apikeys.lifecycle import Environment, GrantStatus
from apikeys.models import ApiKey, Grant
from console.accounts.actors import SYSTEM
from console.accounts.models import Business, User
from console.core import clock
from console.core.refusals import Refused
from tests import factories
from tests.waiting import at_once

PRODUCTS = ("balances", "cards", "payouts", "webhooks")


def a_grant(
    business: Business | None = None,
    *,
    environment: Environment = Environment.SANDBOX,
    products: tuple[str, ...] = PRODUCTS,
    tier: str = "LOW",
    networks: tuple[str, ...] = (),
) -> Grant:
    """Return an open grant. test_open_sandbox.py takes the real steps, which last seconds."""
    business = business or factories.a_business()
    with transaction.atomic():
        grant = Grant.objects.create(business=business, environment=environment)
        # A live key needs an allowlist; tests call from these addresses.
        grant.networks = list(networks) or ["10.0.0.0/8"] * (environment == Environment.LIVE)
        grant.products, grant.tier, grant.opened_at = list(products), tier, clock.now()
        return grants.move(grant, GrantStatus.OPEN, by=SYSTEM)


def a_key(
    grant: Grant | None = None,
    *,
    scopes: tuple[str, ...] = ("balances:read",),
    days: float = 365,
    name: str = "Backend, staging",
    by: User | None = None,
) -> tuple[ApiKey, str]:
    """Return a key and its credential."""
    grant = grant or a_grant()
    ends = clock.now() + timedelta(days=days)
    by = by or factories.owner_of(grant.business)
    key, minted = keys.issue(grant, name=name, scopes=scopes, expires_at=ends, by=by)
    return key, minted.plain


def once_in(page: str) -> str:
    """Return the value that makes the form on this page count once."""
    (once,) = re.findall(r'name="once" value="([^"]+)"', page)
    return once


def pressed_at_once(press: Callable[[], object], times: int) -> int:
    """Press this many times concurrently, and return how many presses were not refused."""

    def one(_: int) -> bool:
        try:
            press()
        except Refused:
            return False
        return True

    return sum(at_once(times, one))
