"""GET /usage: how often each operation was called, day by day."""

from rest_framework import serializers

from api.gateway.housekeeping import KEEP_USAGE
from api.gateway.models import UsageCount
from api.gateway.operations import Operation
from api.gateway.pages import PageQuery
from api.v1.described import Described, page_of
from api.v1.examples import balances as examples
from api.v1.resource import Resource


class UsageItem(Described):
    """The calls of one operation on one day."""

    object = serializers.ChoiceField(choices=["usage"], help_text="What this is.")
    day = serializers.DateField(help_text="The day, in UTC.")
    operation = serializers.CharField(
        help_text="The operation, by its `operationId` in the contract."
    )
    calls = serializers.IntegerField(help_text="Calls of your keys that were answered.")
    errors = serializers.IntegerField(  # type: ignore[assignment]  # as DRF has it
        help_text="Those of the calls that were answered an error."
    )


RESOURCE = Resource(UsageCount, UsageItem, provided=False)
OPERATIONS = [
    Operation(
        "usage.list",
        "GET",
        "/usage",
        product="balances",
        scope="usage:read",
        function=RESOURCE.page(
            f"Count calls by day and operation, for {KEEP_USAGE.days} days, the newest first."
        ),
        query=PageQuery,
        answer=page_of(UsageItem),
        example=examples.USAGE,
    )
]
