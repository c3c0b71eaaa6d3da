"""Ask for, approve, refuse and withdraw products of a business."""

from collections.abc import Iterable, Mapping

from django.db import transaction

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
from console.events import outbox as events

TAKEN_OUT = "You took it out of your application."
NOT_IN_THE_AGREEMENT = "It is not part of your agreement."


class BaseProduct(Refused):
    """The product is in every agreement, so nobody refuses it or takes it away."""

    code = "base_product"


@transaction.atomic
def request(business: Business, products: Iterable[str], *, by: Actor) -> None:
    """Ask for exactly these products. One that is asked for or approved stays as it is.

    One that was only asked for, and is no longer among them, is refused with a sentence.
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
    """Approve these products, and refuse the others that were asked for. Twice is once.

    `refusals` are the sentences that the business reads, by product. What was refused or withdrawn
    before stays so until it is asked for again.
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
    """Take an approved product away: its scopes close with the next request, in both worlds.

    `reason` is a sentence that the business reads. WrongStatus where it is not approved.
    """
    business = Business.objects.locked(business)
    access.require(by, Permission.PRODUCT_WITHDRAW)
    access.require_outsider(by, business)
    require_withdrawable(business, product)
    if not reason.strip():
        raise ReasonMissing("Say why, in a sentence. The business reads it.")
    row = _rows(business, [product])[product]
    _move(row, ProductStatus.WITHDRAWN, reason=reason.strip(), by=by)
    module_sync.follow(business, by=by)
    return row


def require_withdrawable(business: Business, product: str) -> None:
    """Refuse a product that is in every agreement, or that is not approved."""
    if product in BASE_PRODUCTS:
        raise BaseProduct(f"{PRODUCTS[product].name} is in every agreement, and stays.")
    row = BusinessProduct.objects.of(business).filter(product=product).first()
    LIFECYCLE.check(row.status if row else ProductStatus.NONE, ProductStatus.WITHDRAWN)


def approved(business: Business) -> tuple[str, ...]:
    """Return the keys of a business's approved products, in the catalogue's order."""
    held = set(BusinessProduct.objects.of(business).approved().values_list("product", flat=True))
    return tuple(key for key in PRODUCTS if key in held)


def open_for(business: Business) -> tuple[str, ...]:
    """Return the keys of its products whose scopes may be used, in the catalogue's order.

    They are approved, and not set off by hand.
    """
    off = set(ModuleSetting.objects.of(business).set_off().values_list("module", flat=True))
    return tuple(key for key in approved(business) if key not in off)


def _move(
    row: BusinessProduct, to: ProductStatus, *, act: str = "", reason: str = "", by: Actor
) -> BusinessProduct:
    """Change where a product stands, write it in the log, and tell the others.

    `act` is the audit code of a verb that shares its status with another.
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
    """Return every product of a business, locked; rows of these are made where they are missing."""
    now = clock.now()
    BusinessProduct.objects.bulk_create(
        [BusinessProduct(business=business, product=key, since=now) for key in sorted(products)],
        ignore_conflicts=True,
    )
    rows = BusinessProduct.objects.select_for_update(no_key=True, of=("self",))
    found = rows.select_related("business").filter(business=business)
    return {row.product: row for row in found.order_by("product", "pk")}
