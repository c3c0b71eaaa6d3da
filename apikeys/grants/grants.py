"""Open, suspend, restore and close what a business may hold keys for."""

from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from apikeys import sandbox_readiness
from apikeys.lifecycle import GRANT_LIFECYCLE, Environment, GrantStatus
from apikeys.models import Grant
from console.accounts import access, members
from console.accounts.actors import Actor
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
    """Something still stands between this business and its sandbox."""


@transaction.atomic
def open_sandbox(business: Business, *, by: Actor) -> Grant:
    """Open the sandbox with the products that were approved.

    Twice is once: a sandbox that is open, or that somebody suspended, stays as it is.
    """
    business = Business.objects.locked(business)
    grant = _ours(business, Environment.SANDBOX)
    access.require(by, Permission.ACCOUNT_MANAGE)
    # Closed, and there: its allowlist is made before live opens.
    _ours(business, Environment.LIVE)
    if grant.status != GrantStatus.CLOSED:
        return grant
    if blockers := sandbox_readiness.blockers(business):
        raise CannotOpen(_("We cannot open the sandbox yet."), blockers=blockers)

    grant.products = _products_of(grant)
    grant.tier = _tier_of(business)
    grant.opened_at = grant.opened_at or clock.now()
    return move(grant, GrantStatus.OPEN, by=by)


@transaction.atomic
def open_live(business: Business, products: Iterable[str], *, by: User) -> Grant:
    """Open live for these products, beside those that went live before.

    The database takes no product that no confirmed request names.
    """
    business = Business.objects.locked(business)
    grant = _ours(business, Environment.LIVE)
    access.require(by, Permission.GO_LIVE, business)
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
    """Stop every key of the grant for now. The keys stay as they are.

    Who issues a key or gives a role in this moment holds the business, and is waited for.
    """
    Business.objects.locked(grant.business)
    grant = Grant.objects.locked(grant)
    access.require(by, Permission.ACCOUNT_MANAGE)
    access.require_outsider(by, grant.business)
    return move(grant, GrantStatus.SUSPENDED, by=by, reason=reason)


@transaction.atomic
def restore(grant: Grant, *, reason: str, by: User) -> Grant:
    """Let the keys of a suspended grant work again."""
    Business.objects.locked(grant.business)
    grant = Grant.objects.locked(grant)
    access.require(by, Permission.ACCOUNT_MANAGE)
    access.require_outsider(by, grant.business)
    if grant.status != GrantStatus.SUSPENDED:
        raise WrongStatus(
            _("The %(environment)s environment is not suspended.")
            % {"environment": grant.environment}
        )
    return move(grant, GrantStatus.OPEN, act="grant.restored", by=by, reason=reason)


@transaction.atomic
def follow_products(grant: Grant, *, by: Actor) -> Grant:
    """Take over which products are open to the business here, wider or narrower.

    A suspended grant follows too, so that it is right when it is restored; one that is closed is
    filled when it opens. The caller holds the business.
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
    """Refuse a role that could create keys while the API access of the business is suspended."""
    suspended = Grant.objects.of(business).filter(status=GrantStatus.SUSPENDED)
    if role in holders(Permission.KEY_ISSUE) and suspended.exists():
        raise members.Suspended(
            _("The API access of %(business)s is suspended. You cannot give the role %(role)s now.")
            % {"business": business.name, "role": role.label.lower()}
        )


def move(grant: Grant, to: GrantStatus, *, act: str = "", by: Actor, reason: str = "") -> Grant:
    """Change the status, write it in the log, and tell the others. All or nothing.

    Whoever opens a grant has locked its business, and that first: what the business holds, such as
    the currencies of its balances, stays as it is until they are there. `act` is the audit code of
    a verb that shares its status with another.
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
    """Return the business's grant of an environment, locked, made where it is missing."""
    grant, _ = Grant.objects.get_or_create(business=business, environment=environment)
    return Grant.objects.locked(grant)


def _products_of(grant: Grant) -> list[str]:
    """Return what is open to the business; in live, what of it went live."""
    held = products.open_for(grant.business)
    live = grant.environment == Environment.LIVE
    return [key for key in held if not live or key in grant.live_products]


def _tier_of(business: Business) -> str:
    newest = Assessment.objects.filter(application__business=business).order_by("-pk").first()
    return newest.tier if newest else ""
