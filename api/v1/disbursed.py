"""What disbursements have in common: how one is created, and fields of responses."""

from functools import partial

from rest_framework import serializers

from api import viewsets
from api.payments.lifecycle import DISBURSEMENT_STATUSES
from api.serializers import ResourceSerializer, SentAmountField, SentCurrencyField, StatusField


class FailureSerializer(ResourceSerializer):
    """Why it failed."""

    code = serializers.CharField(help_text="The reason code.")
    message = serializers.CharField(help_text="The reason in words.")


operation = partial(viewsets.operation, status=201, codes=["INSUFFICIENT_BALANCE"], financial=True)
status = partial(
    StatusField,
    DISBURSEMENT_STATUSES,
    help_text="Whether the money is reserved, sent or returned.",
)
amount = partial(SentAmountField, help_text="The amount, as a decimal string.")
currency = SentCurrencyField
fee = partial(SentAmountField, help_text="The fee in addition to the amount.")
failure = partial(FailureSerializer, allow_null=True, help_text="Why it failed, or null.")
created_at = partial(serializers.DateTimeField, help_text="When you requested it.")
completed_at = partial(
    serializers.DateTimeField, allow_null=True, help_text="When the money was sent, or null."
)
