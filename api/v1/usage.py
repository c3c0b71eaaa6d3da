"""GET /usage: daily call counts of each operation."""

from rest_framework import serializers

from api.models import UsageCount
from api.retention import KEEP_USAGE
from api.serializers import ObjectField, ResourceSerializer
from api.v1.examples.balances import USAGE
from api.v1.filters import CreatedQuerySerializer
from api.viewsets import ListMixin


class UsageSerializer(ResourceSerializer):
    """The calls of one operation on one day."""

    object = ObjectField("usage")
    day = serializers.DateField(help_text="The date, in UTC.")
    operation = serializers.CharField(help_text="The `operationId` of the operation.")
    calls = serializers.IntegerField(help_text="The number of calls with your keys.")
    errors = serializers.IntegerField(  # type: ignore[assignment]  # as DRF has it
        help_text="The number of calls that returned an error."
    )


class UsageViewSet(ListMixin):
    """Daily call counts of each operation."""

    product = "balances"
    resource = scope = "usage"
    needs_provider = False
    queryset = UsageCount.objects.all()
    serializer_class = UsageSerializer
    query_class = CreatedQuerySerializer
    words = f"calls by day and operation of the last {KEEP_USAGE.days} days", "usage count"
    example = USAGE
