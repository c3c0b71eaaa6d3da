"""Quote: an amount of one currency, and what it comes to in another."""

from datetime import timedelta
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from api.sandbox.exchange_rates import DOLLAR
from api.sandbox.models import OwnedObject
from api.sandbox.models.owned_object import MinorUnits, known_environment
from console.core import ids
from console.core.frozen import SetOnce
from console.core.money import Money


class Quote(OwnedObject):
    """`to_amount` is `from_amount` times `rate`, half-even to the exponent of `to_currency`.

    Amounts are in minor units, rates decimal texts. `dollar_amount` is what `from_amount` comes to
    in US cents at `dollar_rate`. It binds until `expires_at`; `used_at` is when something used it.
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
            models.CheckConstraint(
                condition=Q(from_amount__gt=0, to_amount__gt=0), name="a_quote_is_of_something"
            ),
            SetOnce(
                fields=["from_amount", "to_amount", "rate", "expires_at", "used_at"],
                name="a_quote_binds_and_is_used_once",
            ),
        ]

    @property
    def money(self) -> Money:
        """What is given."""
        return Money(self.from_amount, self.from_currency)

    @property
    def proceeds(self) -> Money:
        """What it comes to."""
        return Money(self.to_amount, self.to_currency)

    @property
    def dollars(self) -> Money:
        """What is given, in US dollars."""
        return Money(self.dollar_amount, DOLLAR)

    def audit_details(self) -> dict[str, Any]:
        return {"amount": str(self.money), "comes_to": str(self.proceeds), "rate": self.rate}
