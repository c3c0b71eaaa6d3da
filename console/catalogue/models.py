"""BusinessProduct: where a product stands for a business."""

from typing import Self

from django.db import models
from django.db.models import Q

from console.accounts.models import Business
from console.catalogue.definitions import PRODUCTS
from console.catalogue.lifecycle import LIFECYCLE, ProductStatus
from console.core import ids
from console.core.moves import MovesConstraint


class BusinessProductQuerySet(models.QuerySet["BusinessProduct"]):
    """Products of businesses, as people ask for them."""

    def of(self, business: Business) -> Self:
        return self.filter(business=business).order_by("product", "pk")

    def approved(self) -> Self:
        return self.filter(status=ProductStatus.APPROVED)


class BusinessProduct(models.Model):
    """Where one product stands for one business. A row exists once it was asked for."""

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("prd"))
    business = models.ForeignKey(Business, on_delete=models.PROTECT)
    product = models.CharField(max_length=40)
    status = models.CharField(max_length=20, choices=ProductStatus, default=ProductStatus.NONE)
    since = models.DateTimeField()

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
        ]

    def __str__(self) -> str:
        return f"{self.product} of {self.business}"

    @property
    def name(self) -> str:
        return PRODUCTS[self.product].name
