"""`make bench`: run every benchmark in its own environment, and print one table of ratios."""

import sys

from benchmarks import memory
from benchmarks.place import measured
from benchmarks.report import Row, publish

MEASUREMENTS = ("calls", "lists", "deliveries", "memory")


def main(names: list[str]) -> None:
    """Run the named benchmarks, or all of them. Missing a target is not a failure."""
    rows: list[Row] = []
    for name in names or MEASUREMENTS:
        if name not in MEASUREMENTS:
            sys.exit(f"There is no measurement {name!r}: choose of {', '.join(MEASUREMENTS)}.")
        rows += memory.measure() if name == "memory" else measured(name)
    publish(rows)


if __name__ == "__main__":
    main(sys.argv[1:])
