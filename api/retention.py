"""What the API's tables may forget."""

import time
from datetime import UTC, timedelta

from api.models import Bucket, IdempotencyRecord, Nonce, UsageCount
from console.core import clock

KEEP_ANSWERS = timedelta(days=30)
# A year and a month: any month can be compared with the same one a year before.
KEEP_USAGE = timedelta(days=400)
# A signature opens for 300 s on each side of our clock; the rest is for clocks of ours that differ.
_KEEP_NONCES = timedelta(minutes=30)
_IDLE_SECONDS = 300


def forget_idle_buckets() -> None:
    """Drop buckets that are full again: an absent row means the same."""
    Bucket.objects.filter(arrives__lt=time.time() - _IDLE_SECONDS).delete()


def forget_old_nonces() -> None:
    """Drop nonces whose signatures are too old to be looked at."""
    Nonce.objects.filter(signed_at__lt=clock.now() - _KEEP_NONCES).delete()


def forget_old_answers() -> None:
    """Empty answers older than a retry may be. Their keys stay used."""
    old = IdempotencyRecord.objects.filter(created_at__lt=clock.now() - KEEP_ANSWERS)
    old.exclude(answer=b"").update(answer=b"")


def forget_old_usage() -> None:
    """Drop the counts of days that `GET /usage` no longer tells."""
    first = (clock.now() - KEEP_USAGE).astimezone(UTC).date()
    UsageCount.objects.filter(day__lt=first).delete()
