"""OtcOrder: an asset that is bought or sold for a currency."""

from typing import Any

from django.db import models
from django.db.models import Q

from api.sandbox.models import Disbursement, EntryType, disbursement
from api.sandbox.models.owned_object import MinorUnits
from console.core import ids
from console.core.money import Money


class OtcSide(models.TextChoices):
    """What becomes of the asset."""

    BUY = "buy", "Buy"
    SELL = "sell", "Sell"


class OtcOrder(Disbursement):
    """`amount` is of the asset; `total`, of the currency, is what it comes to at `price`.

    Whoever buys pays the total and receives the asset; whoever sells the other way round.
    """

    TYPE = EntryType.OTC_ORDER
    FAILURE = "rejected_by_desk"

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("otc"))
    side = models.CharField(max_length=10, choices=OtcSide)
    asset = models.CharField(max_length=10)
    amount = MinorUnits(of="asset")
    price = models.CharField(max_length=30)
    total = MinorUnits()

    class Meta:
        indexes = disbursement.indexes("otc_order")
        constraints = [
            *disbursement.constraints("otc_order"),
            models.CheckConstraint(
                condition=Q(side__in=OtcSide.values, total__gt=0), name="an_otc_order_has_two_sides"
            ),
        ]

    @property
    def money(self) -> Money:
        return Money(self.amount, self.asset)

    @property
    def pays(self) -> Money:
        return self._total if self.side == OtcSide.BUY else self.money

    @property
    def proceeds(self) -> Money:
        return self.money if self.side == OtcSide.BUY else self._total

    @property
    def _total(self) -> Money:
        return Money(self.total, self.currency)

    def audit_details(self) -> dict[str, Any]:
        return super().audit_details() | {"side": str(self.side), "total": str(self._total)}
