"""Say that a dispatcher is there, and how much it sent."""

import uuid

from apikeys.webhooks.dispatcher.database import DatabaseLink

_BEAT = """
INSERT INTO webhooks_dispatcherheartbeat AS known (process, started_at, beat_at, sent, failed)
VALUES (%(process)s, now(), now(), %(sent)s, %(failed)s)
ON CONFLICT (process) DO UPDATE
SET beat_at = now(), sent = excluded.sent, failed = excluded.failed
"""
_FORGET = """
DELETE FROM webhooks_dispatcherheartbeat WHERE beat_at < now() - interval '1 hour'
"""


class Presence:
    """What one dispatcher says of itself."""

    def __init__(self) -> None:
        self.process = uuid.uuid4()
        self.sent = 0
        self.failed = 0

    async def beat(self, database: DatabaseLink) -> None:
        await database.rows(
            _BEAT, {"process": self.process, "sent": self.sent, "failed": self.failed}
        )

    async def forget_others(self, database: DatabaseLink) -> None:
        """Drop what dispatchers said that are gone for an hour."""
        await database.rows(_FORGET)
