"""Say that a dispatcher is there, and how much it sent."""

import uuid
from datetime import timedelta

from django.db.models.functions import Now

from apikeys.webhooks.models import DispatcherHeartbeat

_GONE = timedelta(hours=1)


class Presence:
    """What one dispatcher says of itself."""

    def __init__(self) -> None:
        self.process = uuid.uuid4()
        self.sent = 0
        self.failed = 0

    def beat(self) -> None:
        told = {"beat_at": Now(), "sent": self.sent, "failed": self.failed}
        DispatcherHeartbeat.objects.update_or_create(
            process=self.process, defaults=told, create_defaults={**told, "started_at": Now()}
        )

    def forget_others(self) -> None:
        """Drop what dispatchers said that are gone for an hour."""
        DispatcherHeartbeat.objects.filter(beat_at__lt=Now() - _GONE).delete()
