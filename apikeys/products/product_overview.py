"""Product overview: all products of one business, and one product over all businesses."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from apikeys import api_reference
from apikeys.lifecycle import Environment
from apikeys.models import Grant
from console.accounts.models import Business
from console.catalogue.definitions import BASE_PRODUCTS, PRODUCTS, Product
from console.catalogue.lifecycle import HandSetting, ProductStatus
from console.catalogue.models import BusinessProduct, ModuleSetting
from console.shell import modules
from console.shell.navigation import counted


@dataclass(frozen=True)
class OpenPlace:
    """An environment in which keys may use a product, and whether a provider serves it there."""

    environment: Environment
    is_served: bool


@dataclass(frozen=True)
class ProductLine:
    """One product of one business: requested, decided, shown and open.

    `row` is None if nobody requested it, `setting` is None if nothing is set by hand.
    """

    product: Product
    row: BusinessProduct | None
    setting: ModuleSetting | None
    open_in: tuple[OpenPlace, ...]

    @property
    def is_shown(self) -> bool:
        return self.setting is not None and self.setting.is_shown

    @property
    def is_set_by_hand(self) -> bool:
        return self.setting is not None and self.setting.hand != HandSetting.NONE

    @property
    def is_approved(self) -> bool:
        return self.row is not None and self.row.status == ProductStatus.APPROVED

    @property
    def is_switched_off(self) -> bool:
        """Whether the product is approved but switched off by our staff."""
        off = self.setting is not None and self.setting.hand == HandSetting.OFF
        return off and self.is_approved

    @property
    def is_base(self) -> bool:
        return self.product.key in BASE_PRODUCTS

    @property
    def can_be_withdrawn(self) -> bool:
        return self.is_approved and not self.is_base


@dataclass(frozen=True)
class ProductCounts:
    """Number of businesses per status of one product, as shown: "99+" if there are more."""

    product: Product
    requested: str
    approved: str
    shown: str
    by_hand: str


def of_business(business: Business) -> list[ProductLine]:
    """Return every product of the catalogue for one business. Three queries."""
    rows = BusinessProduct.objects.of(business).select_related("by", "requested_by")
    settings = ModuleSetting.objects.of(business).select_related("hand_by")
    known = {row.product: row for row in rows}
    set_ = {setting.module: setting for setting in settings}
    grants = [grant for grant in Grant.objects.of(business) if grant.keys_work]
    opened = {Environment(grant.environment): grant.products for grant in grants}
    unserved = {environment: api_reference.unserved(environment) for environment in opened}
    return [
        ProductLine(
            product,
            known.get(key),
            set_.get(key),
            tuple(
                OpenPlace(environment, key not in unserved[environment])
                for environment, open_here in opened.items()
                if key in open_here
            ),
        )
        for key, product in PRODUCTS.items()
    ]


def counts(keys: Iterable[str] = PRODUCTS) -> list[ProductCounts]:
    """Return how many businesses have each of these products. Four queries."""
    keys = tuple(keys)
    products, settings = BusinessProduct.objects.all(), ModuleSetting.objects.all()
    figures = (
        _by(products.filter(status=ProductStatus.REQUESTED), "product", keys),
        _by(products.approved(), "product", keys),
        _by(settings.shown(), "module", keys),
        _by(settings.set_by_hand(), "module", keys),
    )
    return [
        ProductCounts(PRODUCTS[key], *(counted(figure[key]) or "0" for figure in figures))
        for key in keys
    ]


def set_by_hand(product: str) -> QuerySet[ModuleSetting]:
    """Return the manual settings of a product's module."""
    found = ModuleSetting.objects.set_by_hand().filter(module=product)
    return found.select_related("business", "hand_by")


def unserved_in_live(products: Iterable[str]) -> list[Product]:
    """Return which of these products have no provider in live, in catalogue order."""
    unserved = api_reference.unserved(Environment.LIVE).intersection(products)
    return [product for key, product in PRODUCTS.items() if key in unserved]


def requested_or_decided(lines: Iterable[ProductLine]) -> list[ProductLine]:
    """Return the products to show a business: those it requested or that were decided."""
    return [line for line in lines if line.row and line.row.status != ProductStatus.NONE]


def _by(
    rows: QuerySet[BusinessProduct] | QuerySet[ModuleSetting], column: str, keys: Iterable[str]
) -> Counter[str]:
    """Count the rows of each key up to what a badge shows."""
    return modules.count_each({key: rows.order_by().filter(**{column: key}) for key in keys})
