"""GET /checkout-sessions: an empty list until sessions can be created."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.pagination import KeysetPagination
from api.serializers import (
    IdField,
    ObjectField,
    ResourceSerializer,
    SentAmountField,
    SentCurrencyField,
    SentMetadataField,
)
from api.viewsets import ResourceViewSet, operation

METHODS = ["bank_transfer", "crypto", "service_tag"]


class SessionPayment(ResourceSerializer):
    """A payment detected for a session."""

    amount = SentAmountField(help_text="The amount, as a decimal string.")
    currency = SentCurrencyField()
    source = serializers.ChoiceField(  # type: ignore[assignment]  # as DRF has it
        choices=METHODS, help_text="The payment method."
    )
    source_reference = serializers.CharField(
        allow_null=True, help_text="The sender’s reference, or null."
    )
    provider_reference = serializers.CharField(
        help_text="The provider’s reference. Each one counts once."
    )
    seen_at = serializers.DateTimeField(help_text="When we detected the payment.")


class SessionCustomer(ResourceSerializer):
    """The payer."""

    name = serializers.CharField(allow_null=True, help_text="The name, or null.")
    email = serializers.CharField(allow_null=True, help_text="The e-mail address, or null.")
    phone = serializers.CharField(allow_null=True, help_text="The telephone number, or null.")


class CheckoutSessionItem(ResourceSerializer):
    """A payment that you request from a payer on a hosted page."""

    id = IdField(help_text="The id of the session.")
    object = ObjectField("checkout_session")
    status = serializers.ChoiceField(
        choices=["awaiting_payment", "paid", "underpaid", "expired", "cancelled"],
        help_text="`awaiting_payment` until the session ends with another status.",
    )
    method = serializers.ChoiceField(choices=METHODS, help_text="The payment method.")
    amount = SentAmountField(help_text="The requested amount.")
    currency = SentCurrencyField()
    amount_paid = SentAmountField(
        "currency", allow_null=True, help_text="The amount received so far, or null."
    )
    amount_outstanding = SentAmountField(help_text="The amount still to pay.")
    payments = SessionPayment(many=True, help_text="All detected payments, oldest first.")
    expires_at = serializers.DateTimeField(help_text="When the session expires.")
    checkout_url = serializers.URLField(help_text="The payment page for the payer.")
    reference = serializers.CharField(allow_null=True, help_text="Your own reference, or null.")
    description = serializers.CharField(
        allow_null=True, help_text="The description of the payment, or null."
    )
    customer = SessionCustomer(help_text="The payer.")
    instructions = serializers.DictField(help_text="Payment instructions for each method.")
    deposit_id = serializers.CharField(
        allow_null=True, help_text="The deposit that settled it, or null."
    )
    paid_at = serializers.DateTimeField(allow_null=True, help_text="When it was paid, or null.")
    success_url = serializers.URLField(
        allow_null=True, help_text="The page that the payer returns to after paying, or null."
    )
    cancel_url = serializers.URLField(
        allow_null=True, help_text="The page that the payer returns to after cancelling, or null."
    )
    metadata = SentMetadataField()
    created_at = serializers.DateTimeField(help_text="When you created it.")


class CheckoutSessions(ResourceViewSet):
    """Payment requests to payers on a hosted page."""

    product = "checkout"
    resource = "checkout_sessions"
    needs_provider = False
    serializer_class = CheckoutSessionItem

    @operation(many=True)
    def list(self, request: Request) -> Response:
        """List checkout sessions. You cannot create any yet, so the list is empty."""
        page = KeysetPagination()
        page.start(self)
        return page.get_paginated_response(page.take([]))
