"""Retention of the API's tables: delete what is no longer needed."""

import time
from datetime import timedelta

from api.models import Bucket, IdempotencyRecord, Nonce, RefusalCount, UsageCount
from console.core import clock

KEEP_ANSWERS = timedelta(days=30)
# 13 months, so that any month can be compared with the same month a year before.
KEEP_USAGE = timedelta(days=400)
# Signatures are valid for 300 s on each side of our clock; the rest allows for clock differences
# between our servers.
_KEEP_NONCES = timedelta(minutes=30)
_IDLE_SECONDS = 300


def forget_idle_buckets() -> None:
    """Delete full buckets: a missing row means the same."""
    Bucket.objects.filter(arrives__lt=time.time() - _IDLE_SECONDS).delete()


def forget_old_nonces() -> None:
    """Delete nonces whose signatures are too old to be accepted."""
    Nonce.objects.filter(signed_at__lt=clock.now() - _KEEP_NONCES).delete()


def forget_old_answers() -> None:
    """Empty stored responses that are too old to be replayed. Their keys remain used."""
    old = IdempotencyRecord.objects.filter(created_at__lt=clock.now() - KEEP_ANSWERS)
    old.exclude(answer=b"").update(answer=b"")


def forget_old_usage() -> None:
    """Delete the counts of days that `GET /usage` no longer returns."""
    first = (clock.now() - KEEP_USAGE).date()
    UsageCount.objects.filter(day__lt=first).delete()
    RefusalCount.objects.filter(day__lt=first).delete()
