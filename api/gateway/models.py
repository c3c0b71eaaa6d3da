"""Bucket: how much of a limit is used. RequestLog: one row for each request."""

from django.contrib.postgres.indexes import BrinIndex
from django.db import models

from console.accounts.models import Business


class Bucket(models.Model):
    """A limit's theoretical arrival time, in seconds since 1970. A crash only empties it."""

    name = models.CharField(max_length=120, primary_key=True)
    arrives = models.FloatField()
    granted = models.IntegerField(default=0)

    def __str__(self) -> str:
        return self.name


class RequestLog(models.Model):
    """One request and how it was answered. Never a body, a query string or a secret."""

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
            models.Index(fields=["business", "-at", "-id"], name="door_request_of_business"),
            models.Index(fields=["request_id"], name="door_request_by_id"),
            BrinIndex(fields=["at"], name="door_request_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.method} {self.path} {self.status}"
