"""Add and remove the domains of a business, renew their tokens, and save what a check found."""

from datetime import timedelta
from typing import Any

from django.db import transaction

from api.checkout import domain_names
from api.checkout.lifecycle import DOMAIN_LIFECYCLE, DomainMethod, DomainStatus
from api.checkout.models import TOKEN_LIFE, CheckoutDomain
from console.accounts import access, business_access
from console.accounts.actors import Actor
from console.accounts.models import Business
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core import clock
from console.events import outbox as events
from console.events import work_claims

MOST_DOMAINS = 20
# Two misses this far apart revoke a verification, so that an outage of a day does not.
PATIENCE = timedelta(hours=48)


@transaction.atomic
def add(business: Business, domain: str, *, by: Actor) -> CheckoutDomain:
    """Add a domain, with the token that proves control of it."""
    access.require(by, Permission.CHECKOUT_EDIT, business)
    business_access.require(business)
    name = domain_names.read(domain)
    work_claims.lock(work_claims.CHECKOUT_DOMAINS, business.pk)
    domains = CheckoutDomain.objects.of(business)
    if domains.filter(domain=name).exists():
        raise domain_names.DomainRefused("You have already added this domain.")
    if domains.count() >= MOST_DOMAINS:
        raise domain_names.DomainRefused(
            f"You can have at most {MOST_DOMAINS} domains. Remove one you do not use."
        )
    now = clock.now()
    added = CheckoutDomain.objects.create(
        business=business, domain=name, created_at=now, token_expires_at=now + TOKEN_LIFE
    )
    _announce(added, "checkout_domain.added", by=by)
    return added


@transaction.atomic
def renew_token(domain: CheckoutDomain, *, by: Actor) -> CheckoutDomain:
    """Replace an expired token. Idempotent: a token that works stays."""
    domain = locked(domain, by)
    if domain.is_expired:
        domain.renew(clock.now())
        domain.save(update_fields=["token", "token_expires_at"])
        _announce(domain, "checkout_domain.renewed", by=by)
    return domain


@transaction.atomic
def settle(domain: CheckoutDomain, found: DomainMethod | None, *, by: Actor) -> CheckoutDomain:
    """Save the result of a check of `domain`: the method that proved control, or None.

    A result is ignored if the token was replaced or expired during the check.
    """
    checked, domain = domain.token, locked(domain, by)
    if domain.token != checked or domain.is_expired:
        return domain
    domain.checked_at = clock.now()
    if found:
        _prove(domain, found, by=by)
    elif domain.is_verified:
        _miss(domain, by=by)
    domain.save()
    return domain


@transaction.atomic
def remove(domain: CheckoutDomain, *, by: Actor) -> None:
    """Remove a domain. It can no longer show payments."""
    domain = locked(domain, by)
    _announce(domain, "checkout_domain.removed", by=by, was=str(domain.status))
    domain.delete()


def locked(domain: CheckoutDomain, by: Actor) -> CheckoutDomain:
    """Return the current row, locked until the transaction ends, if `by` may change it."""
    domain = CheckoutDomain.objects.locked(domain)
    access.require(by, Permission.CHECKOUT_EDIT, domain.business)
    return domain


def _prove(domain: CheckoutDomain, method: DomainMethod, *, by: Actor) -> None:
    domain.method, domain.missed_at = method, None
    if domain.is_verified:
        return
    DOMAIN_LIFECYCLE.check(domain.status, DomainStatus.VERIFIED)
    domain.status, domain.token_expires_at = DomainStatus.VERIFIED, None
    domain.verified_at = domain.checked_at
    _announce(domain, "checkout_domain.verified", by=by, method=str(method))


def _miss(domain: CheckoutDomain, *, by: Actor) -> None:
    """Note the first miss; revoke the verification at one that is PATIENCE later."""
    now = domain.checked_at
    assert now is not None
    if domain.missed_at is None:
        domain.missed_at = now
        _announce(domain, "checkout_domain.missed", by=by)
    elif now - domain.missed_at >= PATIENCE:
        DOMAIN_LIFECYCLE.check(domain.status, DomainStatus.REVOKED)
        domain.status = DomainStatus.REVOKED
        # The domain may belong to somebody else now, who can read the token in its records.
        domain.renew(now)
        _announce(domain, "checkout_domain.revoked", by=by)


def _announce(domain: CheckoutDomain, code: str, *, by: Actor, **details: Any) -> None:
    """Record and publish `code`, with the domain's name."""
    details = {"domain": domain.domain, **details}
    audit.record(code, domain, by=by, business=domain.business, **details)
    events.publish(code, domain, business=domain.business.public_id, **details)
