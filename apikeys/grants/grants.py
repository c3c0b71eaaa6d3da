"""Open, suspend, restore and update API access grants."""

from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from apikeys import sandbox_readiness
from apikeys.lifecycle import GRANT_LIFECYCLE, Environment, GrantStatus
from apikeys.models import Grant
from console.accounts import access, business_access
from console.accounts.actors import Actor
from console.accounts.business_access import AccessStopped
from console.accounts.models import Business, User
from console.accounts.roles import Permission, Role, holders
from console.audit import log as audit
from console.catalogue import products
from console.catalogue.definitions import PRODUCTS
from console.core import clock
from console.core.refusals import NotReady, WrongStatus
from console.events import outbox as events
from onboarding.models import Assessment


class CannotOpen(NotReady):
    """A condition of the business's sandbox is not met."""


@transaction.atomic
def open_sandbox(business: Business, *, by: Actor) -> Grant:
    """Open the sandbox with the approved products.

    Does nothing if it is already open or suspended.
    """
    business = Business.objects.locked(business)
    grant = _ours(business, Environment.SANDBOX)
    access.require(by, Permission.ACCOUNT_MANAGE)
    # Create the closed live grant too, so the allowlist can be set up before live opens.
    _ours(business, Environment.LIVE)
    if grant.status != GrantStatus.CLOSED:
        return grant
    business_access.require(business, is_told=False)
    if blockers := sandbox_readiness.blockers(business):
        raise CannotOpen(_("We cannot open the sandbox yet."), blockers=blockers)

    grant.products = _products_of(grant)
    grant.tier = _tier_of(business)
    grant.opened_at = grant.opened_at or clock.now()
    return move(grant, GrantStatus.OPEN, by=by)


@transaction.atomic
def open_live(business: Business, products: Iterable[str], *, by: User) -> Grant:
    """Open live for these products, in addition to those already live.

    A database constraint refuses products without a confirmed request.
    """
    business = Business.objects.locked(business)
    grant = _ours(business, Environment.LIVE)
    access.require(by, Permission.GO_LIVE, business)
    business_access.require(business)
    if grant.status == GrantStatus.SUSPENDED:
        raise CannotOpen(_("Live is suspended, so you cannot add products to it."))
    wanted = {*grant.live_products, *products}
    grant.live_products = [key for key in PRODUCTS if key in wanted]
    grant.save(update_fields=["live_products"])
    if grant.is_open:
        return follow_products(grant, by=by)
    grant.products = _products_of(grant)
    grant.tier = _tier_of(business)
    grant.opened_at = grant.opened_at or clock.now()
    return move(grant, GrantStatus.OPEN, act="grant.live_opened", by=by)


@transaction.atomic
def suspend(grant: Grant, *, reason: str, by: User) -> Grant:
    """Suspend a grant, which stops its keys without changing them.

    Locks the business, so it waits for a key or role that is being issued at the same time.
    """
    Business.objects.locked(grant.business)
    grant = Grant.objects.locked(grant)
    access.require(by, Permission.ACCOUNT_MANAGE)
    access.require_outsider(by, grant.business)
    return move(grant, GrantStatus.SUSPENDED, by=by, reason=reason)


@transaction.atomic
def restore(grant: Grant, *, reason: str, by: User) -> Grant:
    """Restore a suspended grant, so its keys work again."""
    Business.objects.locked(grant.business)
    grant = Grant.objects.locked(grant)
    access.require(by, Permission.ACCOUNT_MANAGE)
    access.require_outsider(by, grant.business)
    if grant.status != GrantStatus.SUSPENDED:
        raise WrongStatus(
            _("The %(environment)s environment is not suspended.")
            % {"environment": grant.environment}
        )
    business_access.require(grant.business, is_told=False)
    return move(grant, GrantStatus.OPEN, act="grant.restored", by=by, reason=reason)


@transaction.atomic
def follow_products(grant: Grant, *, by: Actor) -> Grant:
    """Update the grant's products to those now open to the business.

    Suspended grants are updated too; closed ones get their products when they open. The caller must
    hold the lock on the business.
    """
    grant = Grant.objects.locked(grant)
    was, now = grant.products, _products_of(grant)
    if grant.status != GrantStatus.CLOSED and was != now:
        grant.products = now
        grant.save(update_fields=["products"])
        audit.record(
            "grant.products_changed",
            grant,
            by=by,
            before={"products": was},
            after={"products": now},
        )
    return grant


def refuse_while_suspended(business: Business, role: Role, _by: User | None) -> None:
    """Refuse a role that could create keys while the business's API access is suspended."""
    suspended = Grant.objects.of(business).filter(status=GrantStatus.SUSPENDED)
    if role in holders(Permission.KEY_ISSUE) and suspended.exists():
        raise AccessStopped(
            _("The API access of %(business)s is suspended. You cannot give the role %(role)s now.")
            % {"business": business.name, "role": role.label.lower()}
        )


def move(grant: Grant, to: GrantStatus, *, act: str = "", by: Actor, reason: str = "") -> Grant:
    """Change the status, and record and publish the change, in one transaction.

    To open a grant, the caller must lock its business first, so that dependent facts, such as the
    currencies of its balances, cannot change meanwhile. `act` is the audit code if several actions
    lead to the same status.
    """
    was = grant.status
    GRANT_LIFECYCLE.check(was, to)
    grant.status = to
    grant.save()
    audit.record(
        act or f"grant.{to}",
        grant,
        by=by,
        before={"status": was},
        after={"status": str(to)},
        environment=grant.environment,
        products=grant.products,
        reason=reason,
    )
    events.publish(
        f"grant.{to}", grant, business=grant.business.public_id, environment=grant.environment,
        was=str(was),
    )  # fmt: skip
    return grant


def _ours(business: Business, environment: Environment) -> Grant:
    """Return the business's grant of an environment, locked; create it if needed."""
    grant, _is_new = Grant.objects.get_or_create(business=business, environment=environment)
    return Grant.objects.locked(grant)


def _products_of(grant: Grant) -> list[str]:
    """Return the products open to the business; for live, only those that went live."""
    held = products.open_for(grant.business)
    live = grant.environment == Environment.LIVE
    return [key for key in held if not live or key in grant.live_products]


def _tier_of(business: Business) -> str:
    newest = Assessment.objects.filter(application__business=business).order_by("-pk").first()
    return newest.tier if newest else ""
