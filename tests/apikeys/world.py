"""Businesses, their people, their sandboxes and keys."""

import itertools
from datetime import timedelta

from django.db import transaction

from apikeys import grants, keys
from apikeys.lifecycle import Environment, GrantStatus
from apikeys.models import ApiKey, Grant
from console.accounts.models import Business, Membership, User
from console.accounts.roles import Role
from console.core import clock

_numbers = itertools.count(1)


def a_business() -> Business:
    return Business.objects.create(name=f"Savanna Freight {next(_numbers)} Limited")


def a_person(role: Role = Role.DEVELOPER, business: Business | None = None) -> User:
    email = f"person{next(_numbers)}@example.com"
    person = User.objects.create_user(email, name="Amara Okafor")
    Membership.objects.create(user=person, business=business, role=role)
    return person


def a_grant(
    business: Business | None = None,
    environment: Environment = Environment.SANDBOX,
    products: tuple[str, ...] = ("balances", "cards", "webhooks"),
    tier: str = "LOW",
) -> Grant:
    """An open grant, as it stands after the pack was executed."""
    business = business or a_business()
    with transaction.atomic():
        grant = Grant.objects.create(business=business, environment=environment)
        grant.products, grant.tier, grant.opened_at = list(products), tier, clock.now()
        return grants.move(grant, GrantStatus.OPEN, by=None)


def a_key(
    grant: Grant | None = None,
    scopes: tuple[str, ...] = ("balances:read",),
    days: float = 365,
    by: User | None = None,
) -> tuple[ApiKey, str]:
    """A key and what goes behind `Bearer`."""
    grant = grant or a_grant()
    by = by or a_person(Role.DEVELOPER, grant.business)
    key, minted = keys.issue(
        grant,
        name="Backend, staging",
        scopes=scopes,
        expires_at=clock.now() + timedelta(days=days),
        by=by,
    )
    return key, minted.plain
