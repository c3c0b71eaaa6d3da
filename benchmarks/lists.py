"""What the first page of a list costs a business with very many rows (quality.md: lists)."""

import json

from benchmarks.place import said_by
from benchmarks.report import Row

MOST = 1.5


def measure() -> list[Row]:
    """Read first pages of a business with few and of one with many rows, one after the other."""
    said = json.loads(said_by("benchmarks.listing"))
    return [
        Row(
            f"list{path}",
            f"first page of {said['many']:,} rows : of {said['few']:,} rows",
            f"{ratio:.2f}",
            f"<= {MOST:g}",
            ratio <= MOST,
        )
        for path, ratio in said["ratios"].items()
    ]
