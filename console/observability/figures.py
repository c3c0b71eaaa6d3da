"""Registry of figures that packages read from the database for Prometheus."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from console.core import clock

# Most rows that one figure counts, so that a scrape costs the same however long a queue is.
MOST = 10_000


@dataclass(frozen=True)
class Figure:
    """A gauge: its values by the tuple of their labels' values."""

    name: str
    about: str
    values: Mapping[Any, float]
    labels: tuple[str, ...] = ()


FigureReader = Callable[[], Iterable[Figure]]
_readers: dict[str, FigureReader] = {}


def register(name: str, reader: FigureReader) -> None:
    """Add a reader. Called from AppConfig.ready(), nowhere else.

    It runs at each scrape, in the exporter only, so its queries must be bounded.
    """
    _readers[name] = reader


def readers() -> Iterator[tuple[str, FigureReader]]:
    return iter(_readers.items())


def single(name: str, about: str, value: float | None) -> Figure:
    """Return a figure without labels, and without a value if there is none."""
    return Figure(name, about, {} if value is None else {(): value})


def age(moment: datetime | None) -> float:
    """Return the seconds since then, or infinity if there is no such moment: alerts compare it."""
    return math.inf if moment is None else (clock.now() - moment).total_seconds()
