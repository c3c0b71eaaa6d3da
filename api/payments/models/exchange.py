"""Currency exchange: quotes, conversions by a quote, and OTC orders."""

from datetime import timedelta
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from api.payments.exchange_rates import DOLLAR
from api.payments.models import disbursement
from api.payments.models.disbursement import Disbursement
from api.payments.models.ledger import EntryType
from api.payments.models.owned_object import MinorUnits, OwnedObject, kept, known_environment
from console.core import ids
from console.core.frozen import SetOnce
from console.core.money import Money


class Quote(OwnedObject):
    """A quote, binding until `expires_at`; `used_at` is when it was used.

    `to_amount` is `from_amount` times `rate`, rounded down to the exponent of `to_currency`.
    Amounts are in minor units and rates are decimal strings. `dollar_amount` is the value of
    `from_amount` in US cents at `dollar_rate`.
    """

    LIFETIME: ClassVar = timedelta(seconds=60)

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("quo"))
    from_currency = models.CharField(max_length=10)
    from_amount = MinorUnits(of="from_currency")
    to_currency = models.CharField(max_length=10)
    to_amount = MinorUnits(of="to_currency")
    rate = models.CharField(max_length=30)
    dollar_amount = models.BigIntegerField()
    dollar_rate = models.CharField(max_length=30)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            known_environment("quote"),
            kept("quote", "from_currency", "to_currency", "dollar_amount", "dollar_rate"),
            models.CheckConstraint(
                condition=Q(from_amount__gt=0, to_amount__gte=0), name="a_quote_is_of_something"
            ),
            SetOnce(
                fields=["from_amount", "to_amount", "rate", "expires_at", "used_at"],
                name="a_quote_binds_and_is_used_once",
            ),
        ]

    @property
    def money(self) -> Money:
        """The amount to sell."""
        return Money(self.from_amount, self.from_currency)

    @property
    def proceeds(self) -> Money:
        """The amount to receive."""
        return Money(self.to_amount, self.to_currency)

    @property
    def dollars(self) -> Money:
        """The amount that you sell, in US dollars."""
        return Money(self.dollar_amount, DOLLAR)

    def audit_details(self) -> dict[str, Any]:
        return {"amount": str(self.money), "comes_to": str(self.proceeds), "rate": self.rate}


class Conversion(Disbursement):
    """A disbursement of a quote's amount, which adds the converted amount to another balance."""

    TYPE = EntryType.CONVERSION
    FAILURE = "rejected_by_exchange"

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("cnv"))
    # Foreign key to the public ID, so that reading a conversion needs no join.
    quote = models.OneToOneField(Quote, on_delete=models.PROTECT, to_field="public_id")
    to_currency = models.CharField(max_length=10)
    to_amount = MinorUnits(of="to_currency")
    rate = models.CharField(max_length=30)

    class Meta:
        indexes = disbursement.indexes("conversion", "to_currency")
        constraints = [
            *disbursement.constraints("conversion", "quote", "to_currency", "to_amount", "rate"),
            models.CheckConstraint(
                condition=Q(to_amount__gt=0), name="a_conversion_brings_something"
            ),
        ]

    @property
    def proceeds(self) -> Money:
        return Money(self.to_amount, self.to_currency)

    @property
    def instructed(self) -> dict[str, Any]:
        return {"to_amount": self.proceeds.decimal(), "to_currency": self.to_currency}

    def audit_details(self) -> dict[str, Any]:
        return super().audit_details() | {"comes_to": str(self.proceeds), "quote": self.quote_id}


class OtcSide(models.TextChoices):
    """Whether the asset is bought or sold."""

    BUY = "buy", "Buy"
    SELL = "sell", "Sell"


class OtcOrder(Disbursement):
    """An OTC order: `amount` of the asset is exchanged for `total` of the currency, at `price`.

    A buyer pays the total and receives the asset; a seller the reverse.
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
        indexes = disbursement.indexes("otc_order", "asset")
        constraints = [
            *disbursement.constraints("otc_order", "side", "asset", "price", "total"),
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
