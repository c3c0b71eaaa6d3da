"""GET /checkout-sessions: the list stands; sessions come with checkout."""

from rest_framework import serializers

from api.gateway import pages
from api.gateway.operations import ApiAnswer, Call, Operation
from api.gateway.pages import PageQuery
from api.v1 import examples
from api.v1.described import Described, DescribedAmount, page_of, sent_metadata
from console.core.money import CURRENCIES

METHODS = ["bank_transfer", "crypto", "service_tag"]


class SessionPayment(Described):
    """Money that was seen for a session."""

    amount = DescribedAmount("currency", help_text="The amount, as a decimal text.")
    currency = serializers.ChoiceField(choices=list(CURRENCIES), help_text="The currency or asset.")
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


class SessionCustomer(Described):
    """Who pays."""

    name = serializers.CharField(allow_null=True, help_text="The name; null where not told.")
    email = serializers.CharField(allow_null=True, help_text="The e-mail address; or null.")
    phone = serializers.CharField(allow_null=True, help_text="The telephone number; or null.")


class CheckoutSessionItem(Described):
    """An amount that a payer is asked for on a hosted page."""

    id = serializers.CharField(help_text="The id of the session.")
    object = serializers.ChoiceField(choices=["checkout_session"], help_text="What this is.")
    status = serializers.ChoiceField(
        choices=["awaiting_payment", "paid", "underpaid", "expired", "cancelled"],
        help_text="`awaiting_payment` until one of the others ends it.",
    )
    method = serializers.ChoiceField(choices=METHODS, help_text="How it is paid.")
    amount = DescribedAmount("currency", help_text="The amount that is asked for.")
    currency = serializers.ChoiceField(choices=list(CURRENCIES), help_text="The currency or asset.")
    amount_paid = DescribedAmount(
        "currency", allow_null=True, help_text="What has come so far; null before anything has."
    )
    amount_outstanding = DescribedAmount("currency", help_text="What is still to pay.")
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
    metadata = sent_metadata()
    created_at = serializers.DateTimeField(help_text="When you created it.")


def list_sessions(call: Call) -> ApiAnswer:
    """List checkout sessions. None can be created yet, so the list is empty."""
    return pages.none(call)


OPERATIONS = [
    Operation(
        "checkout_sessions.list",
        "GET",
        "/checkout-sessions",
        product="checkout",
        scope="checkout:read",
        function=list_sessions,
        query=PageQuery,
        answer=page_of(CheckoutSessionItem),
        example=examples.page_of(),
    )
]
