"""What the tests reach of each package, in lines and branches (R28); `make check` measures it.

A floor is the figure of the day on which it was set, less up to one: which of two threads comes
first decides about a line here and there. It only rises.
"""

import json
from collections.abc import Mapping
from math import floor
from pathlib import Path
from typing import Any

import pytest
from coverage import Coverage

# In percent of lines and branches together.
FLOORS = {
    "agreements": 93.0,
    "api": 97.0,
    "apikeys": 91.0,
    "console": 88.0,
    "onboarding": 97.0,
}
_REPORT = Path("build/coverage.json")


class CoverageFloors:
    """Compares what the processes of a run have reached together with the floors."""

    def __init__(self) -> None:
        self.reached: dict[str, float] = {}

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        measured = Coverage()
        measured.load()
        measured.json_report(outfile=str(_REPORT))
        self.reached = by_package(json.loads(_REPORT.read_text())["files"])
        if below(self.reached):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        terminalreporter.section("coverage")
        for package, percent in sorted(self.reached.items()):
            terminalreporter.line(f"{percent:5.1f} %  {package}, of {FLOORS[package]} %")
        if names := below(self.reached):
            terminalreporter.line(f"Too little of {', '.join(names)}: see {_REPORT}.")


def by_package(files: Mapping[str, Any]) -> dict[str, float]:
    """Return how much of each package is reached, in percent with one decimal, rounded down.

    `files` is as coverage's JSON report has it: by path, each with a `summary` of counts.
    """
    counts: dict[str, list[int]] = {}
    for path, file in files.items():
        said, count = file["summary"], counts.setdefault(path.partition("/")[0], [0, 0])
        count[0] += said["covered_lines"] + said["covered_branches"]
        count[1] += said["num_statements"] + said["num_branches"]
    return {one: floor(1000 * done / (all_ or 1)) / 10 for one, (done, all_) in counts.items()}


def below(reached: Mapping[str, float], floors: Mapping[str, float] = FLOORS) -> list[str]:
    """Return the packages of which less than their floor is reached."""
    return [package for package, least in floors.items() if reached.get(package, 0) < least]


def pytest_configure(config: pytest.Config) -> None:
    """Join a run that measures, in the process that adds up."""
    if config.getoption("cov_source", None) and not hasattr(config, "workerinput"):
        config.pluginmanager.register(CoverageFloors())
