"""The health strip: one bar for each of the last 90 days, from the daily counts of an endpoint."""

from dataclasses import dataclass
from datetime import UTC, date, timedelta

from apikeys.webhooks.models import DeliveryDay, WebhookEndpoint
from console.core import clock

DAYS = 90
# In the units of the drawing: how far apart bars begin, and how high a day is.
STEP, HEIGHT = 10, 40
# A day with a single failure among thousands still shows it.
_LEAST = 6


@dataclass(frozen=True)
class StripBar:
    """One day: where its bar begins, how many attempts there were, how high its failed part is."""

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
        said = f"{self.day.day} {self.day:%b %Y}: "
        if not self.attempts:
            return said + "no attempt"
        return said + f"{self.succeeded:,} went well, {self.failed:,} failed"


@dataclass(frozen=True)
class HealthStrip:
    """All bars, the oldest day first."""

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
        """Return the days on which something was sent, the newest first."""
        return [bar for bar in reversed(self.bars) if bar.attempts]

    @property
    def words(self) -> str:
        """Say what the drawing shows."""
        if not self.attempts:
            return f"No attempt in the last {DAYS} days"
        share = 100 * (self.attempts - self.failed) / self.attempts
        # Rounded down: 99.98 percent is not all of them.
        counted = f"{self.attempts:,} attempt{'s'[: self.attempts != 1]}"
        return f"{counted} in {DAYS} days, {int(share * 10) / 10:g} % went well"


def of(endpoint: WebhookEndpoint) -> HealthStrip:
    """Return the strip of an endpoint: today is its last bar. One query."""
    first = clock.now().astimezone(UTC).date() - timedelta(days=DAYS - 1)
    rows = DeliveryDay.objects.filter(endpoint=endpoint, day__gte=first)
    counts = {row.day: (row.succeeded, row.failed) for row in rows}
    bars = []
    for number in range(DAYS):
        day = first + timedelta(days=number)
        bars.append(StripBar(day, number * STEP, *counts.get(day, (0, 0))))
    return HealthStrip(bars)
