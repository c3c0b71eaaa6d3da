"""Order: an amount that somebody is asked to pay to a business."""

import secrets
from functools import partial
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse

from api.sandbox.models import OwnedObject
from api.sandbox.models.owned_object import MinorUnits, known_environment
from console.core import ids
from console.core.frozen import NeverChanges
from console.core.money import Money
from onboarding import application_facts

# What an order's page is found by: nobody guesses it.
new_token = partial(secrets.token_urlsafe, 24)


class Order(OwnedObject):
    """It stays as it was made. `token` opens its public page, and nothing else."""

    # How it can be paid there.
    CHANNELS: ClassVar = ("bank_transfer",)

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("ord"))
    token = models.CharField(max_length=40, unique=True, default=new_token)
    reference = models.CharField(max_length=140)
    amount = MinorUnits()
    currency = models.CharField(max_length=10)
    description = models.CharField(max_length=500, blank=True)
    customer = models.JSONField()

    class Meta:
        constraints = [
            known_environment("order"),
            models.CheckConstraint(
                condition=models.Q(amount__gt=0), name="an_order_asks_for_something"
            ),
            NeverChanges(name="orders_never_change"),
        ]

    @property
    def money(self) -> Money:
        return Money(self.amount, self.currency)

    @property
    def recipient_name(self) -> str:
        """Who is paid: the registered name of the business."""
        return application_facts.legal_name(self.business)

    @property
    def url(self) -> str:
        """Where its public page is."""
        return settings.BASE_URL.rstrip("/") + reverse("api:order", args=[self.token])

    def audit_details(self) -> dict[str, Any]:
        return {"amount": self.money.decimal(), "currency": self.currency}
