"""What the passing of time asks of webhooks: days are made, and dropped when they are over."""

from datetime import timedelta

from django.conf import settings
from django.db import connection

from console.core import clock, day_partitions


def keep_days() -> None:
    """Make the coming days of events, deliveries and attempts, and drop those that are over."""
    kept = {
        ("webhooks_publicevent", "created_at"): settings.WEBHOOK_EVENT_DAYS,
        ("webhooks_webhookdelivery", "created_at"): settings.WEBHOOK_EVENT_DAYS,
        ("webhooks_deliveryattempt_live", "at"): settings.WEBHOOK_LIVE_ATTEMPT_DAYS,
        ("webhooks_deliveryattempt_sandbox", "at"): settings.WEBHOOK_SANDBOX_ATTEMPT_DAYS,
    }
    for (table, column), days in kept.items():
        day_partitions.keep(table, days=days)
        _empty_default(table, column, days)


def _empty_default(table: str, column: str, days: int) -> None:
    """Delete what is too old and has no partition of its own day."""
    until = clock.now() - timedelta(days=days + 1)
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table}_default WHERE {column} < %s", [until])  # noqa: S608
