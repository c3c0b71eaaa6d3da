"""CheckoutSession: an amount requested from a payer, and how it is to be paid."""

import secrets
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from api.payments.lifecycle import CHECKOUT_LIFECYCLE, CheckoutStatus, DepositStatus
from api.payments.models.owned_object import (
    MinorUnits,
    MoneyObject,
    kept,
    known_environment,
    listed_by,
    reading_order,
)
from api.payments.models.virtual_accounts import (
    Deposit,
    NotApplied,
    PaymentMethod,
    VirtualAccount,
)
from api.providers.blockchains import networks_of
from console.core import clock
from console.core.frozen import KeptWhile
from console.core.moves_constraint import MovesConstraint

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_LETTERS = 26


def new_session_id() -> str:
    """Return an ID of 130 random bits. It opens the payment page, so it cannot be guessed."""
    return f"cs_{_random()}"


def new_tag_payment_id() -> str:
    """Return the ID in the address of a service tag's page, which cannot be guessed either."""
    return f"tag_{_random()}"


def _random() -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(_LETTERS))


class CheckoutSession(MoneyObject):
    """A payment request. `received` is the sum of the payments that count, and ends with it.

    Bank transfers go to its temporary `account`, and assets to its `address`. A session of a
    service tag has a `tag_payment_id`. `deposit` is the payment that reached the amount.
    """

    public_id = models.CharField(max_length=40, unique=True, default=new_session_id)
    status = models.CharField(
        max_length=20, choices=CheckoutStatus, default=CheckoutStatus.AWAITING_PAYMENT
    )
    method = models.CharField(max_length=20, choices=PaymentMethod)
    received = MinorUnits(default=0)
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    deposit = models.OneToOneField(
        Deposit, null=True, on_delete=models.PROTECT, to_field="public_id", related_name="+"
    )
    account = models.OneToOneField(
        VirtualAccount, null=True, on_delete=models.PROTECT, related_name="checkout_session"
    )
    address = models.CharField(max_length=100, blank=True)
    tag_payment_id = models.CharField(max_length=40, blank=True)
    reference = models.CharField(max_length=140, blank=True)
    description = models.CharField(max_length=500, blank=True)
    customer = models.JSONField(default=dict)
    success_url = models.CharField(max_length=2048, blank=True)
    cancel_url = models.CharField(max_length=2048, blank=True)

    class Meta:
        indexes = [
            reading_order("sessions"),
            *listed_by("sessions", "status", "currency"),
            models.Index(
                fields=["business", "environment", "reference"], name="sessions_by_reference"
            ),
            models.Index(
                fields=["expires_at"],
                condition=Q(status=CheckoutStatus.AWAITING_PAYMENT),
                name="sessions_that_expire",
            ),
        ]
        constraints = [
            known_environment("session"),
            kept(
                "session",
                "amount",
                "currency",
                "method",
                "account",
                "address",
                "tag_payment_id",
                "success_url",
                "cancel_url",
            ),
            MovesConstraint(arrows=CHECKOUT_LIFECYCLE.arrows(), name="session_moves_by_the_table"),
            KeptWhile(
                fields=["received", "ended_at", "deposit", "amount", "currency", "method"],
                statuses=sorted(CHECKOUT_LIFECYCLE.final),
                name="an_ended_session_stays",
            ),
            models.CheckConstraint(
                condition=Q(status__in=CheckoutStatus.values, method__in=PaymentMethod.values),
                name="session_status_is_known",
            ),
            models.CheckConstraint(
                condition=Q(amount__gt=0, received__gte=0), name="a_session_asks_for_something"
            ),
            models.CheckConstraint(
                condition=Q(
                    status=CheckoutStatus.AWAITING_PAYMENT,
                    received__lt=F("amount"),
                    ended_at=None,
                )
                | Q(
                    status=CheckoutStatus.PAID,
                    received__gte=F("amount"),
                    ended_at__isnull=False,
                    deposit__isnull=False,
                )
                | Q(
                    status=CheckoutStatus.UNDERPAID,
                    received__gt=0,
                    received__lt=F("amount"),
                    ended_at__isnull=False,
                )
                | Q(status=CheckoutStatus.EXPIRED, received=0, ended_at__isnull=False)
                | Q(status=CheckoutStatus.CANCELLED, ended_at__isnull=False),
                name="a_session_ends_as_its_money_says",
            ),
            models.CheckConstraint(
                condition=Q(deposit=None) | Q(status=CheckoutStatus.PAID),
                name="a_paid_session_names_its_deposit",
            ),
            models.CheckConstraint(
                condition=Q(method=PaymentMethod.BANK_TRANSFER, account__isnull=False)
                | Q(method=PaymentMethod.CRYPTO) & ~Q(address="")
                | Q(method=PaymentMethod.SERVICE_TAG) & ~Q(tag_payment_id=""),
                name="a_session_says_where_to_pay",
            ),
            models.UniqueConstraint(
                fields=["tag_payment_id"],
                condition=~Q(tag_payment_id=""),
                name="one_session_of_a_tag",
            ),
        ]

    @property
    def is_open(self) -> bool:
        return self.status == CheckoutStatus.AWAITING_PAYMENT

    @property
    def outstanding(self) -> int:
        """What is still to be paid, in minor units."""
        return int(max(self.amount - self.received, 0))

    @property
    def unseen(self) -> int:
        """What no payment was detected for, in minor units: `outstanding`, less what confirms."""
        confirming = (
            one.amount
            for one in self.payments.all()
            if one.not_applied == NotApplied.CONFIRMING and one.currency == self.currency
        )
        return int(max(self.outstanding - sum(confirming), 0))

    @property
    def surplus(self) -> int:
        """What was paid beyond the amount, in minor units."""
        return int(max(self.received - self.amount, 0))

    @property
    def paid_or_none(self) -> int | None:
        return self.received or None

    @property
    def shown_payments(self) -> list[Deposit]:
        """All payments, oldest first."""
        return sorted(self.payments.all(), key=lambda one: (one.created_at, one.pk))

    @property
    def late(self) -> int:
        """The money that arrived late and is held, in minor units."""
        held = (one for one in self.payments.all() if one.status == DepositStatus.HELD)
        return sum(one.amount for one in held if one.is_late)

    @property
    def paid_at(self) -> Any:
        return self.ended_at if self.status == CheckoutStatus.PAID else None

    @property
    def checkout_url(self) -> str:
        """URL of its hosted page."""
        return f"{settings.CHECKOUT_ORIGIN}/checkout/{self.public_id}"

    @property
    def service_pay_url(self) -> str:
        """URL of the page of its service tag, or ""."""
        if not self.tag_payment_id:
            return ""
        return f"{settings.CHECKOUT_ORIGIN}/pay/tag/{self.tag_payment_id}"

    @property
    def instructions(self) -> dict[str, Any]:
        """How to pay, by the method (specification 2). Strings, and lists of strings."""
        found: dict[str, Any] = {
            "amount": self.money.decimal(),
            "currency": self.currency,
            "expires_at": clock.iso(self.expires_at),
        }
        if self.account is not None:
            found |= {
                "account_number": self.account.account_number,
                "account_name": self.account.account_name,
                "bank_name": self.account.bank_name,
            }
        elif self.address:
            found |= {
                "address": self.address,
                "assets": [self.currency],
                "networks": networks_of(self.currency),
                "hosted_url": self.checkout_url,
                "order_reference": self.reference or self.public_id,
            }
        else:
            found["service_pay_url"] = self.service_pay_url
        return found
