"""`make bench`: run every measurement in a place of its own, and print one table of ratios."""

import sys

from benchmarks.place import measured
from benchmarks.report import Row, publish

MEASUREMENTS = ("calls", "lists", "deliveries")


def main(names: list[str]) -> None:
    """Run the named measurements, or all of them. A ratio that is missed fails nothing."""
    rows: list[Row] = []
    for name in names or MEASUREMENTS:
        if name not in MEASUREMENTS:
            sys.exit(f"There is no measurement {name!r}: choose of {', '.join(MEASUREMENTS)}.")
        rows += measured(name)
    publish(rows)


if __name__ == "__main__":
    main(sys.argv[1:])
