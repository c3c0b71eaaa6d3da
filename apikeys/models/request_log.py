"""RequestLog: one row for each request the API answered."""

from django.db import models
from django.db.models import Q

from console.accounts.models import Business


class RequestLog(models.Model):
    """One request and its response. Never contains a body, a query string or a secret.

    The table is partitioned by day (`console.core.day_partitions`), so queries must filter by time.
    """

    at = models.DateTimeField()
    request_id = models.CharField(max_length=40)
    # No constraint: rows are written in bulk, and outlive what they refer to.
    business = models.ForeignKey(
        Business, null=True, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False
    )
    key_id = models.CharField(max_length=40, blank=True)
    environment = models.CharField(max_length=10)
    method = models.CharField(max_length=10)
    path = models.CharField(max_length=200)
    status = models.SmallIntegerField()
    code = models.CharField(max_length=40, blank=True)
    reason = models.CharField(max_length=40, blank=True, db_default="")
    # The mistakes of a refused request: pairs of a JSON pointer and a code, without what was sent.
    faults = models.JSONField(default=list, db_default=[])
    # The object that the path names or that the call made.
    object_id = models.CharField(max_length=40, blank=True, db_default="")
    ip = models.GenericIPAddressField(null=True)
    version = models.CharField(max_length=10, blank=True)
    agent = models.CharField(max_length=120, blank=True)
    microseconds = models.IntegerField()

    class Meta:
        indexes = [
            models.Index(fields=["business", "-at", "-id"], name="request_log_of_business"),
            models.Index(fields=["request_id"], name="request_log_by_id"),
            models.Index(
                fields=["object_id"], condition=~Q(object_id=""), name="request_log_by_object"
            ),
            models.Index(
                fields=["business", "-at", "-id"],
                condition=Q(status__gte=400),
                name="failed_requests_of_business",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.method} {self.path} {self.status}"
