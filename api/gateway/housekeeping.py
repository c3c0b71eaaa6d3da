"""What the gateway's tables may forget."""

import time
from datetime import timedelta

from api.gateway.models import Bucket, IdempotencyRecord
from console.core import clock

KEEP_ANSWERS = timedelta(days=30)
_IDLE_SECONDS = 300


def forget_idle_buckets() -> None:
    """Drop buckets that are full again: an absent row means the same."""
    Bucket.objects.filter(arrives__lt=time.time() - _IDLE_SECONDS).delete()


def forget_old_answers() -> None:
    """Empty answers older than a retry may be. Their keys stay used."""
    old = IdempotencyRecord.objects.filter(created_at__lt=clock.now() - KEEP_ANSWERS)
    old.exclude(answer=b"").update(answer=b"")
