"""Where products stand: all of one business, and one product over all businesses."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, QuerySet

from apikeys import api_reference
from apikeys.lifecycle import Environment
from apikeys.models import Grant
from console.accounts.models import Business
from console.catalogue.definitions import BASE_PRODUCTS, PRODUCTS, Product
from console.catalogue.lifecycle import HandSetting, ProductStatus
from console.catalogue.models import BusinessProduct, ModuleSetting


@dataclass(frozen=True)
class OpenPlace:
    """An environment whose keys may use a product now, and whether a provider serves it there."""

    environment: Environment
    is_served: bool


@dataclass(frozen=True)
class ProductLine:
    """One product of one business: what was asked and decided, what is shown, and what is open.

    `row` and `setting` are None where nobody asked for it and nothing is set.
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
        """Whether it is approved, and our account team switched it off."""
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
    """One product over all businesses: how many there are of each."""

    product: Product
    requested: int
    approved: int
    shown: int
    by_hand: int


def of_business(business: Business) -> list[ProductLine]:
    """Return every product of the catalogue, as it is for one business. Three queries."""
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


def counts() -> list[ProductCounts]:
    """Return how many businesses have each product. Four queries."""
    products, settings = BusinessProduct.objects.all(), ModuleSetting.objects.all()
    requested = _by(products.filter(status=ProductStatus.REQUESTED), "product")
    approved = _by(products.approved(), "product")
    shown, by_hand = _by(settings.shown(), "module"), _by(settings.set_by_hand(), "module")
    return [
        ProductCounts(
            product,
            requested.get(key, 0),
            approved.get(key, 0),
            shown.get(key, 0),
            by_hand.get(key, 0),
        )
        for key, product in PRODUCTS.items()
    ]


def set_by_hand(product: str) -> QuerySet[ModuleSetting]:
    """Return who has the module of a product by hand, the newest setting first."""
    found = ModuleSetting.objects.set_by_hand().filter(module=product)
    return found.select_related("business", "hand_by").order_by("-hand_at", "-pk")


def unserved_in_live(products: Iterable[str]) -> list[Product]:
    """Return those of these products that no provider serves in live, in the catalogue's order."""
    unserved = api_reference.unserved(Environment.LIVE).intersection(products)
    return [product for key, product in PRODUCTS.items() if key in unserved]


def requested_or_decided(lines: Iterable[ProductLine]) -> list[ProductLine]:
    """Return the lines of which a business reads: what it asked for, or what was decided."""
    return [line for line in lines if line.row and line.row.status != ProductStatus.NONE]


def _by(rows: QuerySet[BusinessProduct] | QuerySet[ModuleSetting], key: str) -> dict[str, int]:
    return dict(rows.order_by().values_list(key).annotate(Count("pk")))
