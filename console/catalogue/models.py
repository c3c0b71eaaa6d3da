"""BusinessProduct (a product's status for a business) and ModuleSetting (whether it is shown)."""

from typing import Self

from django.db import models
from django.db.models import Q

from console.accounts.models import Business, User
from console.audit.recorded import Recorded, changed, recorded_status
from console.catalogue.definitions import PRODUCTS
from console.catalogue.lifecycle import LIFECYCLE, HandSetting, ProductStatus
from console.core import ids
from console.core.database_rule import DatabaseRule
from console.core.frozen import SetOnce
from console.core.moves_constraint import MovesConstraint


class BusinessProductQuerySet(models.QuerySet["BusinessProduct"]):
    def of(self, business: Business) -> Self:
        return self.filter(business=business).order_by("product", "pk")

    def approved(self) -> Self:
        return self.filter(status=ProductStatus.APPROVED)


class BusinessProduct(models.Model):
    """The status of one product for one business. A row exists once the product was requested.

    `requested_at` and `requested_by` are about the latest request, and empty if the business
    removed the product from its application. `since`, `by` and `reason` are about the current
    status. `by` is null if the system acted, and the business can read `reason`.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("prd"))
    business = models.ForeignKey(Business, on_delete=models.PROTECT)
    product = models.CharField(max_length=40)
    status = models.CharField(max_length=20, choices=ProductStatus, default=ProductStatus.NONE)
    requested_at = models.DateTimeField(null=True)
    requested_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    since = models.DateTimeField()
    by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField(blank=True)

    objects = BusinessProductQuerySet.as_manager()

    class Meta:
        constraints = [
            MovesConstraint(arrows=LIFECYCLE.arrows(), name="product_moves_by_the_table"),
            models.UniqueConstraint(
                fields=["business", "product"], name="a_product_stands_once_per_business"
            ),
            models.CheckConstraint(
                condition=Q(product__in=sorted(PRODUCTS)), name="product_is_in_the_catalogue"
            ),
            models.CheckConstraint(
                condition=~Q(status__in=[ProductStatus.REQUESTED, ProductStatus.APPROVED])
                | Q(requested_at__isnull=False),
                name="what_is_requested_says_since_when",
            ),
            models.CheckConstraint(
                condition=~Q(status__in=[ProductStatus.REFUSED, ProductStatus.WITHDRAWN])
                | ~Q(reason=""),
                name="who_loses_a_product_is_told_why",
            ),
            DatabaseRule.beside(__file__, "catalogue_refuse_participant"),
            SetOnce(
                fields=["id", "public_id", "business", "product"],
                name="a_product_is_of_one_business",
            ),
            recorded_status("products"),
        ]
        indexes = [models.Index(fields=["product", "status"], name="products_by_status")]

    def __str__(self) -> str:
        return f"{self.product} of {self.business}"

    @property
    def name(self) -> str:
        return PRODUCTS[self.product].name


SHOWN = Q(hand=HandSetting.NONE, automatic=True) | Q(hand=HandSetting.ON)
BY_HAND = ~Q(hand=HandSetting.NONE)


class ModuleSettingQuerySet(models.QuerySet["ModuleSetting"]):
    def of(self, business: Business) -> Self:
        return self.filter(business=business).order_by("module", "pk")

    def shown(self) -> Self:
        return self.filter(SHOWN)

    def set_by_hand(self) -> Self:
        return self.filter(BY_HAND)

    def set_off(self) -> Self:
        return self.filter(hand=HandSetting.OFF)

    def locked(self, setting: "ModuleSetting") -> "ModuleSetting":
        """Return the current row, locked until the transaction ends."""
        return self.select_for_update(no_key=True, of=("self",)).get(pk=setting.pk)


class ModuleSetting(models.Model):
    """Whether one console module is shown to one business. `module` is the key of its product.

    Only the sync writes `automatic`, which follows the product's approval. `hand` is our account
    team's setting and overrides it: `on`, `off`, or empty for none. `hand_by`, `hand_at` and
    `hand_reason` say who set it, when and why. The database refuses to change both in one
    statement. No row means that nothing was approved and nothing is set manually.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("mds"))
    business = models.ForeignKey(Business, on_delete=models.PROTECT)
    module = models.CharField(max_length=40)
    automatic = models.BooleanField(default=False)
    automatic_since = models.DateTimeField()
    hand = models.CharField(max_length=3, choices=HandSetting, blank=True)
    hand_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    hand_at = models.DateTimeField(null=True)
    hand_reason = models.TextField(blank=True)

    objects = ModuleSettingQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["business", "module"], name="a_module_is_set_once_per_business"
            ),
            models.CheckConstraint(
                condition=Q(module__in=sorted(PRODUCTS)), name="module_is_of_a_product"
            ),
            models.CheckConstraint(
                condition=Q(hand=HandSetting.NONE, hand_by=None, hand_at=None, hand_reason="")
                | Q(
                    hand__in=[HandSetting.ON, HandSetting.OFF],
                    hand_by__isnull=False,
                    hand_at__isnull=False,
                )
                & ~Q(hand_reason=""),
                name="a_hand_setting_says_who_when_and_why",
            ),
            DatabaseRule.beside(__file__, "catalogue_refuse_mixed_change"),
            SetOnce(
                fields=["id", "public_id", "business", "module"], name="a_module_is_of_one_business"
            ),
            Recorded(
                fields=["automatic", "hand"],
                condition=changed("automatic", "hand"),
                name="module_settings_are_recorded",
            ),
        ]
        indexes = [
            models.Index(fields=["module"], condition=SHOWN, name="modules_shown"),
            models.Index(
                fields=["module", "-hand_at", "-id"], condition=BY_HAND, name="modules_set_by_hand"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.module} of {self.business}"

    @property
    def name(self) -> str:
        return PRODUCTS[self.module].name

    @property
    def is_shown(self) -> bool:
        return self.hand == HandSetting.ON or (self.hand == HandSetting.NONE and self.automatic)
