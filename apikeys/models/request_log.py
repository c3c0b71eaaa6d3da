"""RequestLog: a row for each request that the API answered."""

from django.db import models

from console.accounts.models import Business


class RequestLog(models.Model):
    """One request and how it was answered. Never a body, a query string or a secret.

    The table is kept by days (`console.core.day_partitions`): whatever asks it names a time.
    """

    at = models.DateTimeField()
    request_id = models.CharField(max_length=40)
    # No constraint: the log is written in bulk, and outlives what it points to.
    business = models.ForeignKey(
        Business, null=True, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False
    )
    key_id = models.CharField(max_length=40, blank=True)
    environment = models.CharField(max_length=10)
    method = models.CharField(max_length=10)
    path = models.CharField(max_length=200)
    status = models.SmallIntegerField()
    code = models.CharField(max_length=40, blank=True)
    ip = models.GenericIPAddressField(null=True)
    version = models.CharField(max_length=10, blank=True)
    agent = models.CharField(max_length=120, blank=True)
    microseconds = models.IntegerField()

    class Meta:
        indexes = [
            models.Index(fields=["business", "-at", "-id"], name="request_log_of_business"),
            models.Index(fields=["request_id"], name="request_log_by_id"),
        ]

    def __str__(self) -> str:
        return f"{self.method} {self.path} {self.status}"
