"""What the tests reach is added up by package, and less than a floor fails."""

import tomllib
from pathlib import Path

from tests.coverage_floors import FLOORS, below, by_package


def file(covered, of):
    return {
        "summary": {
            "covered_lines": covered,
            "num_statements": of,
            "covered_branches": 1,
            "num_branches": 2,
        }
    }


def test_lines_and_branches_of_a_package_are_added_up_and_rounded_down():
    files = {"api/one.py": file(7, 7), "api/v1/two.py": file(2, 4), "onboarding/x.py": file(8, 8)}
    assert by_package(files) == {"api": 73.3, "onboarding": 90.0}


def test_a_package_below_its_floor_is_named_and_so_is_one_that_nothing_reaches():
    floors = {"api": 73.3, "console": 90.0, "onboarding": 90.0}
    assert below({"api": 73.3, "console": 90.1, "onboarding": 90.0}, floors) == []
    assert below({"api": 73.2, "onboarding": 95.0}, floors) == ["api", "console"]


def test_every_package_has_a_floor():
    measured = tomllib.loads(Path("pyproject.toml").read_text())["tool"]["coverage"]["run"]
    assert list(FLOORS) == measured["source"]
