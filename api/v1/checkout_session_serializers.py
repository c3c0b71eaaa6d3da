"""Bodies and responses of /checkout-sessions."""

from functools import partial
from typing import Any, cast
from urllib.parse import urlsplit

from rest_framework import serializers

from api.fields import (
    StrictChoice,
    StrictFlag,
    StrictSerializer,
    StrictText,
    StrictWhole,
    mistake,
    mistake_at,
    together,
)
from api.payments import checkout_sessions
from api.payments.lifecycle import CHECKOUT_STATUSES, DEPOSIT_STATUSES
from api.payments.models import NotApplied, PaymentMethod
from api.serializers import (
    IdField,
    ObjectField,
    ResourceSerializer,
    SentAmountField,
    SentCurrencyField,
    SentMetadataField,
    StatusField,
)
from api.v1.shared_fields import (
    AmountField,
    EmailField,
    MetadataField,
    MoneySerializer,
    PhoneField,
)
from console.core.links import PLACEHOLDER

_LONGEST_CONFIRMING, _LONGEST_OFFSET = 12, 86_400
# A URI with an authority and no user (RFC 3986).
_PART = r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*"
_URI = rf"https?://[A-Za-z0-9.:\[\]_-]+(?:[/?]{_PART})?(?:#{_PART})?"
_NO_PLACEHOLDERS = (
    "We do not fill in placeholders such as {CHECKOUT_SESSION_ID}. Put your own reference into the"
    " URL, send it as `reference` too, and find the session by it."
)
FAULTS = ("late", "out_of_order", "wrong_currency", "reversed")


class ReturnUrlField(StrictText):
    """A page of the shop: `https`, or `http` on `localhost` while it is being built."""

    def __init__(self, **more: Any) -> None:
        says = (
            "Send the https URL of a page, without a user name. Percent-encode spaces and other"
            " characters that a URL cannot have."
        )
        super().__init__(pattern=_URI, says=says, max_length=2048, **more)

    def to_internal_value(self, data: Any) -> str:
        if isinstance(data, str) and PLACEHOLDER.search(data[: self.max_length]):
            raise mistake("wrong_shape", _NO_PLACEHOLDERS)
        url: str = super().to_internal_value(data)
        try:
            parts = urlsplit(url)
            host, _ = parts.hostname or "", parts.port
        except ValueError:
            raise mistake("wrong_shape", self.says) from None
        local = host == "localhost" or host.endswith(".localhost")
        if not host or (parts.scheme == "http" and not local):
            raise mistake("wrong_shape", self.says)
        return url


class CheckoutCustomerSerializer(StrictSerializer):
    """The payer. We show nothing of it on the payment page."""

    name = StrictText(max_length=140, required=False, allow_null=True, help_text="The name.")
    email = EmailField(required=False, allow_null=True, help_text="The e-mail address.")
    phone = PhoneField(
        required=False, allow_null=True, help_text="The telephone number with its country code."
    )


class CheckoutSessionCreateSerializer(MoneySerializer):
    """POST /checkout-sessions: the amount, the payment method and the pages to return to."""

    method = StrictChoice(
        choices=PaymentMethod.values,
        help_text=(
            "The payment method. `crypto` is for assets, `bank_transfer` for all other currencies."
            " `service_tag` shows a page, but takes no payments yet."
        ),
    )
    reference = StrictText(
        max_length=140,
        required=False,
        allow_null=True,
        help_text="Your own reference. Several sessions may share one.",
    )
    description = StrictText(
        max_length=255,
        required=False,
        allow_null=True,
        prose=True,
        help_text="What is paid for. The payer sees it.",
    )
    customer = CheckoutCustomerSerializer(
        required=False, help_text="The payer. We do not show this."
    )
    success_url = ReturnUrlField(
        required=False,
        allow_null=True,
        help_text="The page that the payer can return to after paying.",
    )
    cancel_url = ReturnUrlField(
        required=False,
        allow_null=True,
        help_text="The page to return to if the session ends unpaid.",
    )
    expires_in = StrictWhole(
        min_value=int(checkout_sessions.SHORTEST.total_seconds()),
        max_value=int(checkout_sessions.LONGEST.total_seconds()),
        default=int(checkout_sessions.DEFAULT.total_seconds()),
        help_text="The number of seconds in which the payer can pay. One hour by default.",
    )
    metadata = MetadataField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        validated, _ = together(partial(super().validate, attrs), partial(_check_method, attrs))
        if validated["money"].minor > checkout_sessions.LARGEST:
            said = "Send an amount that a JSON number can hold in minor units."
            raise mistake_at("amount", "out_of_range", said)
        return cast("dict[str, Any]", validated)


def _check_method(attrs: dict[str, Any]) -> None:
    """Refuse a payment method that the currency does not have."""
    currency = attrs["currency"]
    usable = [one for one in PaymentMethod.values if checkout_sessions.accepts(one, currency)]
    if attrs["method"] not in usable:
        said = f"For this currency, send {' or '.join(usable)}."
        raise mistake_at("method", "unknown_value", said)


class CheckoutPaymentSerializer(ResourceSerializer):
    """A payment detected for a session."""

    id = IdField(help_text="The id of the payment, which is a deposit.")
    amount = SentAmountField(help_text="The amount, as a decimal string.")
    currency = SentCurrencyField()
    source = serializers.ChoiceField(  # type: ignore[assignment]  # as DRF has it
        choices=PaymentMethod.values, help_text="The payment method."
    )
    source_reference = serializers.CharField(
        allow_null=True, help_text="The sender’s reference, or null."
    )
    provider_reference = serializers.CharField(
        help_text="The provider’s reference. Each one counts once."
    )
    seen_at = serializers.DateTimeField(
        source="created_at", help_text="When the payment was detected."
    )
    status = StatusField(
        DEPOSIT_STATUSES,
        help_text=(
            "`settled` if the money is in your balance. `held` if it is not, because the session is"
            " open or you have not decided yet."
        ),
    )
    applied = serializers.BooleanField(
        source="is_applied", help_text="Whether it counts towards the amount of the session."
    )
    reason = serializers.ChoiceField(
        source="not_applied",
        choices=NotApplied.values,
        allow_null=True,
        help_text="Why it does not count, or null.",
    )


class SessionCustomerSerializer(ResourceSerializer):
    """The payer."""

    name = serializers.CharField(allow_null=True, help_text="The name, or null.")
    email = serializers.CharField(allow_null=True, help_text="The e-mail address, or null.")
    phone = serializers.CharField(allow_null=True, help_text="The telephone number, or null.")


class CheckoutSessionSerializer(ResourceSerializer):
    """A payment that you request from a payer on a hosted page."""

    columns = (
        "id",
        "status",
        "reference",
        "amount",
        "amount_paid",
        "amount_outstanding",
        "amount_late",
        "created_at",
    )

    id = IdField(help_text="The id of the session.")
    object = ObjectField("checkout_session")
    status = StatusField(
        CHECKOUT_STATUSES,
        help_text="`awaiting_payment` until the session ends with another status.",
    )
    method = serializers.ChoiceField(choices=PaymentMethod.values, help_text="The payment method.")
    amount = SentAmountField(help_text="The requested amount.")
    currency = SentCurrencyField()
    amount_paid = SentAmountField(
        source="paid_or_none", allow_null=True, help_text="The amount received so far, or null."
    )
    amount_outstanding = SentAmountField(source="outstanding", help_text="The amount still to pay.")
    amount_late = SentAmountField(
        source="late", help_text="The amount that is held because it arrived late."
    )
    payments = CheckoutPaymentSerializer(
        source="shown_payments", many=True, help_text="All detected payments, oldest first."
    )
    expires_at = serializers.DateTimeField(help_text="When the session expires.")
    checkout_url = serializers.URLField(help_text="The payment page for the payer.")
    reference = serializers.CharField(allow_null=True, help_text="Your own reference, or null.")
    description = serializers.CharField(
        allow_null=True, help_text="The description of the payment, or null."
    )
    customer = SessionCustomerSerializer(help_text="The payer.")
    instructions = serializers.DictField(help_text="How to pay by the method of the session.")
    deposit_id = serializers.CharField(
        allow_null=True, help_text="The deposit that settled it, or null."
    )
    paid_at = serializers.DateTimeField(allow_null=True, help_text="When it was paid, or null.")
    success_url = serializers.URLField(
        allow_null=True, help_text="The page that the payer can return to after paying, or null."
    )
    cancel_url = serializers.URLField(
        allow_null=True,
        help_text="The page to return to if the session ends unpaid, or null.",
    )
    metadata = SentMetadataField()
    created_at = serializers.DateTimeField(help_text="When you created it.")


class SimulatedPaymentCreateSerializer(StrictSerializer):
    """POST /test-helpers/checkout-sessions/{id}/payments: the payment, and what goes wrong."""

    amount = AmountField(help_text="The amount that arrives.")
    source_reference = StrictText(
        max_length=140,
        required=False,
        allow_null=True,
        help_text="The reference of the payer’s bank.",
    )
    provider_reference = StrictText(
        max_length=140,
        required=False,
        help_text=(
            "The provider’s reference of the payment. Each one counts once. We generate one by "
            "default."
        ),
    )
    seen_at_offset = StrictWhole(
        min_value=-_LONGEST_OFFSET,
        max_value=0,
        default=0,
        help_text="The seconds since the provider detected it, as a negative number, 0 by default.",
    )
    confirmations = StrictWhole(
        min_value=0,
        max_value=_LONGEST_CONFIRMING,
        default=0,
        help_text="How many confirmations of five seconds it waits for, 0 by default.",
    )
    duplicate = StrictFlag(
        default=False,
        help_text="Whether the provider reports the payment twice, `false` by default.",
    )
    fault = StrictChoice(
        choices=FAULTS,
        required=False,
        help_text=(
            "`late` ends the session before the payment arrives. `out_of_order` reports it after a "
            "later payment. `wrong_currency` pays in another currency. `reversed` takes it back."
        ),
    )


class SimulatedPaymentSerializer(ResourceSerializer):
    """A simulated payment, and the session that it was for."""

    payment = CheckoutPaymentSerializer(help_text="The payment.")
    session = CheckoutSessionSerializer(help_text="The session as it is now.")
