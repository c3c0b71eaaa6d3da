"""Rate limit buckets, nonces of signed calls, idempotency records, and counts of calls."""

from django.db import models
from django.db.models import Q

from apikeys.lifecycle import Environment
from apikeys.models import ApiKey
from console.accounts.models import Business
from console.core.gcra import GcraBucket


class Bucket(GcraBucket):
    """A rate limit bucket of the API. A database crash only refills it."""


class Nonce(models.Model):
    """A nonce from a signed call, which the key cannot use again."""

    key = models.ForeignKey(ApiKey, on_delete=models.CASCADE, db_index=False, related_name="+")
    nonce = models.CharField(max_length=64)
    signed_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["key", "nonce"], name="a_nonce_is_used_once")
        ]

    def __str__(self) -> str:
        return self.nonce


class IdempotencyRecord(models.Model):
    """An Idempotency-Key of a business, and the response to its request.

    `fingerprint` is the SHA-256 of the request. Without a `status` it has no response yet:
    `outcome` is the outside party's answer as JSON, and `tries` the number of attempts. `answer` is
    emptied after 30 days; the row remains, so that a late duplicate cannot pay twice.
    """

    business = models.ForeignKey(Business, on_delete=models.PROTECT, db_index=False)
    environment = models.CharField(max_length=10, choices=Environment)
    key = models.CharField(max_length=120)
    operation = models.CharField(max_length=60)
    fingerprint = models.BinaryField(max_length=32)
    request_id = models.CharField(max_length=40)
    created_at = models.DateTimeField()
    status = models.SmallIntegerField(null=True)
    answer = models.BinaryField(default=b"")
    object_id = models.CharField(max_length=40, blank=True)
    outcome = models.TextField(null=True)  # noqa: DJ001  # null: not asked yet
    tries = models.SmallIntegerField(default=1)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["business", "environment", "key"], name="an_idempotency_key_is_used_once"
            ),
        ]
        indexes = [
            models.Index(
                fields=["created_at"], condition=~Q(answer=b""), name="idempotency_answers_by_age"
            )
        ]

    def __str__(self) -> str:
        return f"{self.operation} {self.key}"


class UsageCount(models.Model):
    """Daily count (UTC) of a business's calls of one operation; days without calls have no row.

    `errors` counts those `calls` that were refused or failed.
    """

    business = models.ForeignKey(Business, on_delete=models.PROTECT, db_index=False)
    environment = models.CharField(max_length=10, choices=Environment)
    operation = models.CharField(max_length=60)
    day = models.DateField()
    calls = models.BigIntegerField()
    errors = models.BigIntegerField()
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["business", "environment", "operation", "day"],
                name="one_count_of_an_operation_and_a_day",
            )
        ]
        indexes = [
            models.Index(
                fields=["business", "environment", "-created_at", "-id"],
                name="usage_in_reading_order",
            )
        ]

    def __str__(self) -> str:
        return f"{self.operation} on {self.day}"


class RefusalCount(models.Model):
    """Daily count (UTC) of a business's calls of one operation that got one error code.

    `operation` is empty for a path that is no operation.
    """

    business = models.ForeignKey(Business, on_delete=models.PROTECT, db_index=False)
    environment = models.CharField(max_length=10, choices=Environment)
    day = models.DateField()
    operation = models.CharField(max_length=60, blank=True)
    code = models.CharField(max_length=40)
    calls = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["business", "environment", "day", "operation", "code"],
                name="one_count_of_a_code_and_a_day",
            )
        ]

    def __str__(self) -> str:
        return f"{self.code} of {self.operation} on {self.day}"
