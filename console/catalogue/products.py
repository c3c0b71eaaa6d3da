"""Requesting, approving, refusing and withdrawing a business's products."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from console.accounts import access
from console.accounts.actors import SYSTEM, Actor
from console.accounts.models import Business, User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.catalogue import module_sync
from console.catalogue.definitions import BASE_PRODUCTS, PRODUCTS
from console.catalogue.lifecycle import LIFECYCLE, ProductStatus
from console.catalogue.models import BusinessProduct, ModuleSetting
from console.core import clock
from console.core.refusals import ReasonMissing, Refused
from console.core.text import says_something
from console.events import outbox as events

TAKEN_OUT = "You removed it from your application."
NOT_IN_THE_AGREEMENT = "It is not part of your agreement."


class BaseProduct(Refused):
    """The product is in every agreement, so it cannot be refused or withdrawn."""

    code = "base_product"


@transaction.atomic
def request(business: Business, products: Iterable[str], *, by: Actor) -> None:
    """Request exactly these products. Those already requested or approved stay unchanged.

    Products that were requested but are not among these are refused with a reason.
    """
    business = Business.objects.locked(business)
    wanted = frozenset(products)
    for key, row in _rows(business, wanted).items():
        if key in wanted:
            if row.status not in (ProductStatus.REQUESTED, ProductStatus.APPROVED):
                _move(row, ProductStatus.REQUESTED, by=by)
        elif row.status == ProductStatus.REQUESTED:
            row.requested_at = row.requested_by = None
            _move(row, ProductStatus.REFUSED, act="product.taken_out", reason=TAKEN_OUT, by=by)


@transaction.atomic
def approve(
    business: Business,
    products: Iterable[str],
    *,
    refusals: Mapping[str, str] | None = None,
    by: Actor,
) -> None:
    """Approve these products, and refuse all other requested ones. Idempotent.

    `refusals` are the reasons shown to the business, by product. Products refused or withdrawn
    before stay so until they are requested again.
    """
    business = Business.objects.locked(business)
    wanted, said = frozenset(products), refusals or {}
    for key, row in _rows(business, wanted).items():
        if key in wanted and row.status == ProductStatus.NONE:
            _move(row, ProductStatus.REQUESTED, act="product.added", by=SYSTEM)
        if row.status != ProductStatus.REQUESTED:
            continue
        if key in wanted:
            _move(row, ProductStatus.APPROVED, by=by)
        else:
            reason = said.get(key, NOT_IN_THE_AGREEMENT)
            _move(row, ProductStatus.REFUSED, reason=reason, by=by)
    module_sync.follow(business, by=by)


@transaction.atomic
def withdraw(business: Business, product: str, *, reason: str, by: User) -> BusinessProduct:
    """Withdraw an approved product. Its scopes close with the next request, in both environments.

    The business can read `reason`. Raises WrongStatus if the product is not approved.
    """
    business = Business.objects.locked(business)
    access.require(by, Permission.PRODUCT_WITHDRAW)
    access.require_outsider(by, business)
    require_withdrawable(business, product)
    if not says_something(reason):
        raise ReasonMissing(_("Say why, in a sentence. The business reads it."))
    row = _rows(business, [product])[product]
    _move(row, ProductStatus.WITHDRAWN, reason=reason.strip(), by=by)
    module_sync.follow(business, by=by)
    return row


def require_withdrawable(business: Business, product: str) -> None:
    """Raise BaseProduct if the product is in every agreement, WrongStatus if not approved."""
    if product in BASE_PRODUCTS:
        raise BaseProduct(
            _("%(name)s is part of every agreement, so it cannot be withdrawn.")
            % {"name": PRODUCTS[product].name}
        )
    row = BusinessProduct.objects.of(business).filter(product=product).first()
    LIFECYCLE.check(row.status if row else ProductStatus.NONE, ProductStatus.WITHDRAWN)


def approved(business: Business) -> tuple[str, ...]:
    """Return the keys of a business's approved products, in catalogue order."""
    held = set(BusinessProduct.objects.of(business).approved().values_list("product", flat=True))
    return tuple(key for key in PRODUCTS if key in held)


def open_for(business: Business) -> tuple[str, ...]:
    """Return the keys of products whose scopes may be used, in catalogue order.

    These are approved, and not set to `off` manually.
    """
    off = switched_off(business)
    return tuple(key for key in approved(business) if key not in off)


@dataclass(frozen=True)
class HeldProducts:
    """The products of a business, by key: their statuses, and those whose scopes may be used."""

    statuses: dict[str, str]
    open: frozenset[str]


def held_by(business: Business) -> HeldProducts:
    """Return the products of a business. Two queries."""
    statuses = dict(BusinessProduct.objects.of(business).values_list("product", "status"))
    approved = {key for key, status in statuses.items() if status == ProductStatus.APPROVED}
    return HeldProducts(statuses, frozenset(approved - switched_off(business)))


def switched_off(business: Business) -> set[str]:
    """Return the keys of products that our staff set to `off` manually."""
    return set(ModuleSetting.objects.of(business).set_off().values_list("module", flat=True))


def _move(
    row: BusinessProduct, to: ProductStatus, *, act: str = "", reason: str = "", by: Actor
) -> BusinessProduct:
    """Change a product's status, log it and publish the event.

    `act` is the audit code, for actions that share their target status with another.
    """
    was = row.status
    LIFECYCLE.check(was, to)
    person = by if isinstance(by, User) else None
    row.status, row.since, row.by, row.reason = to, clock.now(), person, reason
    if to == ProductStatus.REQUESTED:
        row.requested_at, row.requested_by = row.since, person
    row.save()
    audit.record(
        act or f"product.{to}", row, by=by, before={"status": str(was)}, after={"status": str(to)},
        product=row.product, reason=reason,
    )  # fmt: skip
    events.publish(f"product.{to}", row, product=row.product, business=row.business.public_id)
    return row


def _rows(business: Business, products: Iterable[str]) -> dict[str, BusinessProduct]:
    """Return every product of a business, locked, after creating missing rows for `products`."""
    now = clock.now()
    BusinessProduct.objects.bulk_create(
        [BusinessProduct(business=business, product=key, since=now) for key in sorted(products)],
        ignore_conflicts=True,
    )
    rows = BusinessProduct.objects.select_for_update(no_key=True, of=("self",))
    found = rows.select_related("business").filter(business=business)
    return {row.product: row for row in found.order_by("product", "pk")}
