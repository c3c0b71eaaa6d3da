"""The health strip: one bar for each of the last 90 days, from an endpoint's daily counts."""

from dataclasses import dataclass
from datetime import UTC, date, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apikeys.webhooks.models import DeliveryDay, WebhookEndpoint
from console.core import clock

DAYS = 90
# Units of the SVG: the distance between bars, and the height of a day.
STEP, HEIGHT = 10, 40
# Minimum height, so that a single failure among thousands is visible.
_LEAST = 6


@dataclass(frozen=True)
class StripBar:
    """One day: the position of its bar, its number of attempts, the height of the failed part."""

    day: date
    x: int
    succeeded: int
    failed: int

    @property
    def attempts(self) -> int:
        return self.succeeded + self.failed

    @property
    def failed_height(self) -> int:
        if not self.failed:
            return 0
        return max(_LEAST, round(HEIGHT * self.failed / self.attempts))

    @property
    def words(self) -> str:
        day = f"{self.day.day} {self.day:%b %Y}"
        if not self.attempts:
            return _("%(day)s: no attempts") % {"day": day}
        counts = {"succeeded": f"{self.succeeded:,}", "failed": f"{self.failed:,}"}
        return _("%(day)s: %(succeeded)s succeeded, %(failed)s failed") % {"day": day, **counts}


@dataclass(frozen=True)
class HealthStrip:
    """All bars, oldest day first."""

    bars: list[StripBar]
    width: int = DAYS * STEP
    height: int = HEIGHT

    @property
    def attempts(self) -> int:
        return sum(bar.attempts for bar in self.bars)

    @property
    def failed(self) -> int:
        return sum(bar.failed for bar in self.bars)

    @property
    def busy(self) -> list[StripBar]:
        """Return the days with attempts, newest first."""
        return [bar for bar in reversed(self.bars) if bar.attempts]

    @property
    def words(self) -> str:
        """Return a text alternative for the drawing."""
        if not self.attempts:
            return _("No attempts in the last %(days)s days") % {"days": DAYS}
        share = 100 * (self.attempts - self.failed) / self.attempts
        # Round down, so that 99.98 percent is not shown as 100.
        said = ngettext(
            "%(count)s attempt in %(days)s days, %(share)s%% succeeded",
            "%(count)s attempts in %(days)s days, %(share)s%% succeeded",
            self.attempts,
        )
        return said % {
            "count": f"{self.attempts:,}",
            "days": DAYS,
            "share": f"{int(share * 10) / 10:g}",
        }


def strip_of(endpoint: WebhookEndpoint) -> HealthStrip:
    """Return the health strip of an endpoint; today is the last bar. One query."""
    first = clock.now().astimezone(UTC).date() - timedelta(days=DAYS - 1)
    rows = DeliveryDay.objects.filter(endpoint=endpoint, day__gte=first)
    counts = {row.day: (row.succeeded, row.failed) for row in rows}
    bars = []
    for number in range(DAYS):
        day = first + timedelta(days=number)
        bars.append(StripBar(day, number * STEP, *counts.get(day, (0, 0))))
    return HealthStrip(bars)
