"""What the pages of deliveries cost an endpoint with very many attempts (quality.md: lists)."""

import json

from benchmarks.place import said_by
from benchmarks.report import Row

MOST = 1.5


def measure() -> list[Row]:
    """Read the pages of an endpoint with few attempts and of one with many, in turns."""
    said = json.loads(said_by("benchmarks.delivery_reading"))
    rows = []
    for name, page in said["pages"].items():
        ratio, (few, many) = page["ratio"], page["queries"]
        rows += [
            Row(
                f"{name} time",
                f"at {said['many']:,} attempts : at {said['few']:,} attempts",
                f"{ratio:.2f}",
                f"<= {MOST:g}",
                ratio <= MOST,
            ),
            Row(
                f"{name} queries",
                f"at {said['many']:,} attempts, and at {said['few']:,}",
                f"{many}, {few}",
                "the same",
                many == few,
            ),
        ]
    return rows
