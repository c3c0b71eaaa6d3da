"""Results and targets: one table on the screen, the same rows as JSON in the file of REPORT."""

import json
import math
import os
import statistics
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

_WIDTHS = (16, 34, 44, 44, 4)


@dataclass(frozen=True)
class Row:
    """A result and its target."""

    id: str
    what: str
    figure: str
    goal: str
    met: bool


def ratio(
    name: str, what: str, ratios: Sequence[float], *, least: float = 0, most: float = math.inf
) -> Row:
    """Return a row of ratios: median, minimum and maximum."""
    middle = statistics.median(ratios)
    figure = f"{middle:.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
    aim = f"<= {most:g}" if least == 0 else f">= {least:g}"
    return Row(name, what, figure, aim, least <= middle <= most)


def publish(rows: Sequence[Row]) -> bool:
    """Print the table, write REPORT, and tell whether every target is met."""
    print(table(rows))
    missed = [row for row in rows if not row.met]
    print(f"\n{len(rows) - len(missed)} of {len(rows)} met.")
    if path := os.environ.get("REPORT"):
        Path(path).write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n")
    return not missed


def table(rows: Iterable[Row]) -> str:
    """Return the rows as columns that fit a terminal; long text is wrapped."""
    lines = [_line(("id", "what", "reached", "asked", "met"))]
    for row in rows:
        words = (row.id, row.what, row.figure, row.goal, "yes" if row.met else "NO")
        lines.append(_line(words))
    return "\n".join(lines)


def _line(words: Sequence[str]) -> str:
    columns = [textwrap.wrap(word, size) or [""] for word, size in zip(words, _WIDTHS, strict=True)]
    height = max(map(len, columns))
    folded = [column + [""] * (height - len(column)) for column in columns]
    parts = zip(*folded, strict=True)
    padded = ("  ".join(f"{p:<{w}}" for p, w in zip(part, _WIDTHS, strict=True)) for part in parts)
    return "\n".join(line.rstrip() for line in padded)
