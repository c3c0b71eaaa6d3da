"""The health strip: one bar for each of the last 90 days, from an endpoint's daily counts."""

from collections.abc import Mapping
from datetime import date, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apikeys.webhooks.models import DeliveryDay, WebhookEndpoint
from console.core import clock
from console.shell import charts
from console.shell.charts import DayChart

DAYS = 90


def strip_of(endpoint: WebhookEndpoint) -> DayChart:
    """Return the health strip of an endpoint; today is the last bar. One query."""
    since = clock.now() - timedelta(days=DAYS)
    rows = DeliveryDay.objects.filter(endpoint=endpoint, day__gte=since.date())
    return drawn({row.day: (row.succeeded, row.failed) for row in rows})


def drawn(counts: Mapping[date, tuple[int, int]], *, days: int = DAYS) -> DayChart:
    """Draw the succeeded and failed attempts of each day."""
    series = {"ok": _("Succeeded"), "failed": _("Failed")}
    return charts.day_chart(_("Attempts day by day"), series, counts, days=days, each_full=True)


def words(strip: DayChart) -> str:
    """Return a strip in words: how many attempts, and which share of them succeeded."""
    if not strip.total:
        return _("No attempts in the last %(days)s days") % {"days": len(strip.bars)}
    succeeded = sum(bar.counts[0] for bar in strip.bars)
    said = ngettext(
        "%(count)s attempt in %(days)s days, %(share)s%% succeeded",
        "%(count)s attempts in %(days)s days, %(share)s%% succeeded",
        strip.total,
    )
    return said % {
        "count": f"{strip.total:,}",
        "days": len(strip.bars),
        # Round down, so that 99.98 percent is not shown as 100.
        "share": f"{int(1000 * succeeded / strip.total) / 10:g}",
    }
