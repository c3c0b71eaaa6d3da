"""The heartbeat of a dispatcher, with its number of sent deliveries."""

import uuid
from datetime import timedelta

from django.db.models.functions import Now

from apikeys.webhooks.models import DispatcherHeartbeat

_GONE = timedelta(hours=1)


class Presence:
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
        """Delete the heartbeats of dispatchers that stopped an hour ago or more."""
        DispatcherHeartbeat.objects.filter(beat_at__lt=Now() - _GONE).delete()
