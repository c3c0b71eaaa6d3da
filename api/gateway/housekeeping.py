"""What the gateway's tables may forget."""

import time

from api.gateway.models import Bucket

_IDLE_SECONDS = 300


def forget_idle_buckets() -> None:
    """Drop buckets that are full again: an absent row means the same."""
    Bucket.objects.filter(arrives__lt=time.time() - _IDLE_SECONDS).delete()
