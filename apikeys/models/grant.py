"""Grant: what a business may hold keys for, in one environment."""

from typing import Self

from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Max, OuterRef, Q, Subquery

from apikeys.lifecycle import GRANT_LIFECYCLE, HELD, Environment, GrantStatus
from console.accounts.lifecycle import Access
from console.accounts.models import Business
from console.audit.recorded import Recorded, changed, recorded_status
from console.catalogue.definitions import PRODUCTS, Product
from console.core import ids
from console.core.frozen import SetOnce
from console.core.moves_constraint import MovesConstraint
from console.core.subqueries import count_of


class GrantQuerySet(models.QuerySet["Grant"]):
    def of(self, business: Business) -> Self:
        return self.filter(business=business).order_by("environment")

    def with_keys(self) -> Self:
        """Annotate each grant with `held`, its number of keys, and `used_at`, their last use."""
        keys = apps.get_model("apikeys", "ApiKey").objects.filter(grant=OuterRef("pk"))
        last = keys.order_by("grant").values("grant").annotate(at=Max("last_used_at")).values("at")
        held = count_of(keys.filter(status__in=HELD))
        return self.annotate(held=held, used_at=Subquery(last))

    def all_locked(self, business: Business) -> Self:
        """Return the current grants of a business, locked until the transaction ends."""
        return self.of(business).select_for_update(no_key=True, of=("self",))

    def locked(self, grant: "Grant") -> "Grant":
        """Return the current row, locked until the transaction ends."""
        return self.select_for_update(no_key=True, of=("self",)).get(pk=grant.pk)


class Grant(models.Model):
    """The environment, products and limits within which a business may create keys.

    A key can never exceed its grant: if the grant loses a product, so does every key. `products`
    are those that keys may use now, `live_products` those that went live; the products of a live
    grant are always among them. `tier` is the risk tier when the grant opened and selects the rate
    limits; `api_version` is pinned with the first key. `networks` is the business's allowlist in
    this environment, as canonical CIDR; if a key has its own, both apply. If `requires_signatures`,
    unsigned calls are refused.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("grt"))
    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="grants")
    environment = models.CharField(max_length=10, choices=Environment)
    status = models.CharField(max_length=20, choices=GrantStatus, default=GrantStatus.CLOSED)
    products = ArrayField(models.CharField(max_length=40), default=list)
    live_products = ArrayField(models.CharField(max_length=40), default=list)
    tier = models.CharField(max_length=10, blank=True)
    api_version = models.CharField(max_length=10, blank=True)
    opened_at = models.DateTimeField(null=True)
    networks = ArrayField(models.CharField(max_length=43), default=list)
    requires_signatures = models.BooleanField(default=False)

    objects = GrantQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["business", "environment"], name="one_grant_per_environment"
            ),
            models.CheckConstraint(
                condition=Q(status__in=GrantStatus.values, environment__in=Environment.values),
                name="grant_status_is_known",
            ),
            models.CheckConstraint(
                condition=Q(status=GrantStatus.CLOSED) | Q(opened_at__isnull=False),
                name="an_open_grant_says_since_when",
            ),
            MovesConstraint(arrows=GRANT_LIFECYCLE.arrows(), name="grant_moves_by_the_table"),
            SetOnce(
                fields=["id", "public_id", "business", "environment"], name="a_grant_is_one_grant"
            ),
            Recorded(
                fields=["products"],
                name="products_of_grants_are_recorded",
                condition="NEW.products IS DISTINCT FROM OLD.products",
            ),
            recorded_status("grants"),
            Recorded(
                fields=["networks", "requires_signatures"],
                condition=changed("networks", "requires_signatures"),
                name="limits_of_grants_are_recorded",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.environment} grant of {self.business}"

    @property
    def is_open(self) -> bool:
        return self.status == GrantStatus.OPEN

    @property
    def keys_work(self) -> bool:
        """Whether the grant and its business allow calls with its keys."""
        return self.is_open and self.business.status == Access.ACTIVE

    def offers(self) -> list[Product]:
        """The products that keys of this grant may use, in catalogue order."""
        return [product for key, product in PRODUCTS.items() if key in self.products]

    def scopes(self) -> frozenset[str]:
        return frozenset(scope for product in self.offers() for scope in product.scopes)
