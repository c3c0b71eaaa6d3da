"""GET /checkout-sessions: the list stands; sessions come with checkout."""

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
    """Money that was seen for a session."""

    amount = SentAmountField(help_text="The amount, as a decimal text.")
    currency = SentCurrencyField()
    source = serializers.ChoiceField(  # type: ignore[assignment]  # as DRF has it
        choices=METHODS, help_text="How it came."
    )
    source_reference = serializers.CharField(
        allow_null=True, help_text="What its sender called it; null where nothing was said."
    )
    provider_reference = serializers.CharField(
        help_text="What the provider calls it. The same one counts once."
    )
    seen_at = serializers.DateTimeField(help_text="When it was seen.")


class SessionCustomer(ResourceSerializer):
    """Who pays."""

    name = serializers.CharField(allow_null=True, help_text="The name; null where not told.")
    email = serializers.CharField(allow_null=True, help_text="The e-mail address; or null.")
    phone = serializers.CharField(allow_null=True, help_text="The telephone number; or null.")


class CheckoutSessionItem(ResourceSerializer):
    """An amount that a payer is asked for on a hosted page."""

    id = IdField(help_text="The id of the session.")
    object = ObjectField("checkout_session")
    status = serializers.ChoiceField(
        choices=["awaiting_payment", "paid", "underpaid", "expired", "cancelled"],
        help_text="`awaiting_payment` until one of the others ends it.",
    )
    method = serializers.ChoiceField(choices=METHODS, help_text="How it is paid.")
    amount = SentAmountField(help_text="The amount that is asked for.")
    currency = SentCurrencyField()
    amount_paid = SentAmountField(
        "currency", allow_null=True, help_text="What has come so far; null before anything has."
    )
    amount_outstanding = SentAmountField(help_text="What is still to pay.")
    payments = SessionPayment(many=True, help_text="Every amount seen, the oldest first.")
    expires_at = serializers.DateTimeField(help_text="When its countdown ends.")
    checkout_url = serializers.URLField(help_text="The page to send the payer to.")
    reference = serializers.CharField(allow_null=True, help_text="What you call it; or null.")
    description = serializers.CharField(allow_null=True, help_text="What is paid for; or null.")
    customer = SessionCustomer(help_text="Who pays.")
    instructions = serializers.DictField(help_text="How to pay, by the method.")
    deposit_id = serializers.CharField(
        allow_null=True, help_text="The deposit that settled it; null before it is paid."
    )
    paid_at = serializers.DateTimeField(allow_null=True, help_text="When it was paid; null before.")
    success_url = serializers.URLField(
        allow_null=True, help_text="Where a payer goes who has paid; or null."
    )
    cancel_url = serializers.URLField(
        allow_null=True, help_text="Where a payer goes who gives up; or null."
    )
    metadata = SentMetadataField()
    created_at = serializers.DateTimeField(help_text="When you created it.")


class CheckoutSessions(ResourceViewSet):
    """Amounts that payers are asked for on a hosted page."""

    product = "checkout"
    resource = "checkout_sessions"
    needs_provider = False
    serializer_class = CheckoutSessionItem

    @operation(many=True)
    def list(self, request: Request) -> Response:
        """List checkout sessions. None can be created yet, so the list is empty."""
        page = KeysetPagination()
        page.start(self)
        return page.get_paginated_response(page.take([]))
