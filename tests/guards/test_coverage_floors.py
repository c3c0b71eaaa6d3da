"""What the tests reach is added up by package, and less than a floor fails."""

import tomllib
from pathlib import Path

from tests.coverage_floors import FLOORS


def test_every_package_has_a_floor():
    measured = tomllib.loads(Path("pyproject.toml").read_text())["tool"]["coverage"]["run"]
    assert list(FLOORS) == measured["source"]
