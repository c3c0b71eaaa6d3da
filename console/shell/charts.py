"""Charts as SVG: stacked bars for each day with their table, and a funnel of stages.

Their templates are `components/day_chart.html` and `components/funnel.html`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.utils.translation import gettext as _

from console.core import clock

# Units of the SVG: the distance between bars, their width, and the height of the chart.
STEP, WIDTH, HEIGHT = 10, 8, 40
# Minimum height, so that a single failure among thousands is visible.
_LEAST = 3


@dataclass(frozen=True)
class BarPart:
    """A part of a bar: `look` is ok, refused or failed."""

    look: str
    y: int
    height: int


@dataclass(frozen=True)
class DayBar:
    """One day: its counts in the order of the series, and its bar."""

    day: date
    x: int
    counts: tuple[int, ...]
    parts: tuple[BarPart, ...]
    words: str

    @property
    def total(self) -> int:
        return sum(self.counts)


@dataclass(frozen=True)
class DayChart:
    """A chart of the last days, oldest first. `series` maps each look to its label."""

    label: str
    series: Mapping[str, str]
    bars: Sequence[DayBar]
    height: int = HEIGHT
    bar_width: int = WIDTH

    @property
    def width(self) -> int:
        return len(self.bars) * STEP

    @property
    def totals(self) -> list[tuple[str, str, int]]:
        """Return each series: its look, its label and its sum."""
        sums = [sum(counts) for counts in zip(*(bar.counts for bar in self.bars), strict=True)]
        return [(*named, total) for named, total in zip(self.series.items(), sums, strict=True)]

    @property
    def total(self) -> int:
        return sum(bar.total for bar in self.bars)

    @property
    def words(self) -> str:
        """Return the sums as text: `1,204 succeeded, 3 failed`."""
        return _told(self.series, [total for _look, _label, total in self.totals])

    @property
    def busy(self) -> list[DayBar]:
        """Return the days with counts, newest first."""
        return [bar for bar in reversed(self.bars) if bar.total]


@dataclass(frozen=True)
class FunnelBar:
    """A stage of a funnel: its count, its page, and its bar in per cent of the width."""

    label: str
    count: int
    url: str
    x: float
    width: float


def funnel(stages: Sequence[tuple[str, int, str]]) -> list[FunnelBar]:
    """Draw a bar in the middle for each stage: its label, its count and the page of its rows."""
    most = max((count for _label, count, _url in stages), default=0) or 1
    widths = [max(_LEAST, 100 * count / most) if count else 0 for _label, count, _url in stages]
    return [
        FunnelBar(*stage, x=round((100 - width) / 2, 1), width=round(width, 1))
        for stage, width in zip(stages, widths, strict=True)
    ]


def day_chart(
    label: str,
    series: Mapping[str, str],
    counts: Mapping[date, Sequence[int]],
    *,
    days: int,
    each_full: bool = False,
) -> DayChart:
    """Draw the last `days` days (UTC), of which today is the last; `counts` are by series.

    Bars are as high as their day has counts. With `each_full` all are of one height, and show the
    shares of a day.
    """
    first = clock.now().date() - timedelta(days=days - 1)
    none = (0,) * len(series)
    shown = [first + timedelta(days=number) for number in range(days)]
    found = [tuple(counts.get(day, none)) for day in shown]
    most = max(map(sum, found))
    bars = [
        DayBar(
            day,
            number * STEP,
            of_day,
            _parts(tuple(series), of_day, sum(of_day) if each_full else most),
            _words(day, series, of_day),
        )
        for number, (day, of_day) in enumerate(zip(shown, found, strict=True))
    ]
    return DayChart(label, series, bars)


def _parts(looks: Sequence[str], counts: Sequence[int], most: int) -> tuple[BarPart, ...]:
    """Stack a bar from below: the last series, which is the worst, lies at the bottom."""
    parts, bottom = [], HEIGHT
    for look, count in reversed(list(zip(looks, counts, strict=True))):
        if count:
            height = min(bottom, max(_LEAST, round(HEIGHT * count / most)))
            bottom -= height
            parts.append(BarPart(look, bottom, height))
    return tuple(parts)


def _words(day: date, series: Mapping[str, str], counts: Sequence[int]) -> str:
    """Return a day as text: `3 Nov 2026: 40 succeeded, 2 failed`."""
    return f"{day.day} {day:%b %Y}: {_told(series, counts)}"


def _told(series: Mapping[str, str], counts: Sequence[int]) -> str:
    named = zip(series.values(), counts, strict=True)
    return ", ".join(f"{count:,} {label.lower()}" for label, count in named if count) or _("none")
