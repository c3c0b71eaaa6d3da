"""Create and drop the daily partitions of webhooks."""

from datetime import timedelta

from django.conf import settings
from django.db import connection

from console.core import clock, day_partitions


def keep_days() -> None:
    """Create the coming days' partitions of events, deliveries and attempts; drop expired ones."""
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
    """Delete expired rows that are in the default partition."""
    until = clock.now() - timedelta(days=days + 1)
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table}_default WHERE {column} < %s", [until])  # noqa: S608
