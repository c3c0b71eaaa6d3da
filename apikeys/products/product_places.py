"""Where the sidebar lists the products of a business: live, sandbox, or to be requested."""

from collections import defaultdict

from django.db.models import CharField, F, Func, Value
from django.utils.translation import gettext_noop as _

from apikeys.lifecycle import Environment, GrantStatus
from apikeys.models import Grant
from console.catalogue.definitions import PRODUCTS
from console.catalogue.lifecycle import ProductStatus
from console.catalogue.models import BusinessProduct, ModuleSetting
from console.shell.modules import ProductPlace

LIVE = ProductPlace(_("Live products"))
SANDBOX = ProductPlace(_("Sandbox products"))
NOWHERE = ProductPlace(_("Products"))
REQUESTABLE = ProductPlace(_("Can be requested"), page="apikeys:own_products")
_SHOWN, _ASKED = "shown", "asked"


def of_business(business_id: int) -> dict[str, ProductPlace]:
    """Return the place of each product that the sidebar lists, in its order. One query.

    A business that has no product yet requests all of them in its application.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for product, what in _rows(business_id):
        found[what].add(product)
    if not found[_SHOWN]:
        return {}
    places = {key: _place(key, found) for key in PRODUCTS}
    order = (LIVE, SANDBOX, NOWHERE, REQUESTABLE)
    return {key: place for one in order for key, place in places.items() if place == one}


def _rows(business_id: int) -> list[tuple[str, str]]:
    """Return products, each with an environment where it is open, or `shown`, or `asked`."""
    asked = (ProductStatus.REQUESTED, ProductStatus.APPROVED)
    shown = ModuleSetting.objects.filter(business_id=business_id).shown()
    grants = Grant.objects.filter(business_id=business_id, status=GrantStatus.OPEN)
    products = BusinessProduct.objects.filter(business_id=business_id, status__in=asked)
    each = Func(F("products"), function="unnest", output_field=CharField())
    rows = shown.order_by().values_list("module", Value(_SHOWN))
    return list(
        rows.union(
            grants.order_by().values_list(each, "environment"),
            products.order_by().values_list("product", Value(_ASKED)),
            all=True,
        )
    )


def _place(product: str, found: dict[str, set[str]]) -> ProductPlace | None:
    if product in found[_SHOWN]:
        in_live, in_sandbox = (
            product in found[one] for one in (Environment.LIVE, Environment.SANDBOX)
        )
        return LIVE if in_live else SANDBOX if in_sandbox else NOWHERE
    return None if product in found[_ASKED] else REQUESTABLE
