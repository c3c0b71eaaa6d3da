"""Ask for, approve and refuse products of a business."""

from collections.abc import Iterable

from django.db import transaction

from console.accounts.actors import Actor
from console.accounts.models import Business
from console.audit import log as audit
from console.catalogue.definitions import PRODUCTS
from console.catalogue.lifecycle import LIFECYCLE, ProductStatus
from console.catalogue.models import BusinessProduct
from console.core import clock
from console.events import outbox as events


@transaction.atomic
def request(business: Business, products: Iterable[str], *, by: Actor) -> None:
    """Ask for products. One that is asked for or approved stays as it is."""
    for row in _rows(business, products).values():
        if row.status not in (ProductStatus.REQUESTED, ProductStatus.APPROVED):
            move(row, ProductStatus.REQUESTED, by=by)


@transaction.atomic
def approve(business: Business, products: Iterable[str], *, by: Actor) -> None:
    """Approve exactly these of the products asked for, and refuse the others."""
    wanted = frozenset(products)
    rows = _rows(business, wanted)
    for row in BusinessProduct.objects.of(business).filter(status=ProductStatus.REQUESTED):
        rows.setdefault(row.product, row)
    for key, row in sorted(rows.items()):
        if key not in wanted:
            move(row, ProductStatus.REFUSED, by=by)
        elif row.status != ProductStatus.APPROVED:
            if row.status != ProductStatus.REQUESTED:
                move(row, ProductStatus.REQUESTED, by=by)
            move(row, ProductStatus.APPROVED, by=by)


def approved(business: Business) -> tuple[str, ...]:
    """Return the keys of a business's approved products, in the catalogue's order."""
    held = set(BusinessProduct.objects.of(business).approved().values_list("product", flat=True))
    return tuple(key for key in PRODUCTS if key in held)


def move(row: BusinessProduct, to: ProductStatus, *, by: Actor) -> BusinessProduct:
    """Change where a product stands, write it in the log, and tell the others."""
    was = row.status
    LIFECYCLE.check(was, to)
    row.status, row.since = to, clock.now()
    row.save()
    audit.record(
        f"product.{to}", row, by=by, before={"status": str(was)}, after={"status": str(to)},
        product=row.product,
    )  # fmt: skip
    events.publish(f"product.{to}", row, product=row.product, business=row.business.public_id)
    return row


def _rows(business: Business, products: Iterable[str]) -> dict[str, BusinessProduct]:
    """Return the rows of these products, locked, made where they are missing."""
    wanted = sorted(set(products))
    now = clock.now()
    BusinessProduct.objects.bulk_create(
        [BusinessProduct(business=business, product=key, since=now) for key in wanted],
        ignore_conflicts=True,
    )
    rows = BusinessProduct.objects.select_for_update(no_key=True, of=("self",))
    found = rows.select_related("business").filter(business=business, product__in=wanted)
    return {row.product: row for row in found.order_by("product", "pk")}
