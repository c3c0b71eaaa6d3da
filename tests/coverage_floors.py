"""Coverage floors per package, in lines and branches; measured by `make check`.

A floor is the value of the day it was set, minus up to one, because thread timing decides about a
few lines. Only ever raise it.
"""

import json
import os
from collections.abc import Mapping
from math import floor
from pathlib import Path
from typing import Any

import pytest

# Percentages of lines and branches together.
FLOORS = {
    "agreements": 93.0,
    "api": 97.0,
    "apikeys": 91.0,
    "console": 88.0,
    "onboarding": 97.0,
}
_REPORT = "build/coverage.json"
# Where SlipCover's plugin adds up what the workers of a run measured.
_FOLDER = "SLIPCOVER_COVERAGE_DIR"


class CoverageFloors:
    """Compares the combined coverage of a run's processes with the floors."""

    def __init__(self) -> None:
        self.reached: dict[str, float] = {}

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        merged = Path(os.environ[_FOLDER]) / "merged.json"
        self.reached = by_package(json.loads(merged.read_text())["files"])
        if below(self.reached):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        terminalreporter.section("coverage")
        for package, percent in sorted(self.reached.items()):
            terminalreporter.line(f"{percent:5.1f} %  {package}, of {FLOORS[package]} %")
        if names := below(self.reached):
            terminalreporter.line(f"Too little of {', '.join(names)}: see {_REPORT}.")


def by_package(files: Mapping[str, Any]) -> dict[str, float]:
    """Return the coverage of each package, in percent with one decimal, rounded down.

    `files` is as in SlipCover's JSON report: by path, each with a `summary` of counts.
    """
    counts: dict[str, list[int]] = {}
    for path, file in files.items():
        said, count = file["summary"], counts.setdefault(path.partition("/")[0], [0, 0])
        covered = said["covered_lines"] + said["covered_branches"]
        count[0] += covered
        count[1] += covered + said["missing_lines"] + said["missing_branches"]
    return {one: floor(1000 * done / (all_ or 1)) / 10 for one, (done, all_) in counts.items()}


def below(reached: Mapping[str, float], floors: Mapping[str, float] = FLOORS) -> list[str]:
    """Return the packages below their floor."""
    return [package for package, least in floors.items() if reached.get(package, 0) < least]


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Register with a run that measures coverage, in the process that adds up."""
    if _FOLDER in os.environ and not hasattr(config, "workerinput"):
        config.pluginmanager.register(CoverageFloors())
