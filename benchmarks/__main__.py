"""`make bench`: run every measurement, print one table of ratios, write REPORT."""

import sys

from benchmarks import deliveries, delivery_pages, lists
from benchmarks.report import Row, publish

MEASUREMENTS = {
    "lists": lists.measure,
    "deliveries": deliveries.measure,
    "delivery_pages": delivery_pages.measure,
}


def main(names: list[str]) -> None:
    """Run the named measurements, or all of them."""
    rows: list[Row] = []
    for name in names or MEASUREMENTS:
        if name not in MEASUREMENTS:
            sys.exit(f"There is no measurement {name!r}: choose of {', '.join(MEASUREMENTS)}.")
        rows += MEASUREMENTS[name]()
    sys.exit(0 if publish(rows) else 1)


if __name__ == "__main__":
    main(sys.argv[1:])
