"""Every measured package has a coverage floor."""

import tomllib
from pathlib import Path

from tests.coverage_floors import FLOORS


def test_every_package_has_a_floor():
    measured = tomllib.loads(Path("pyproject.toml").read_text())["tool"]["slipcover"]
    assert list(FLOORS) == measured["source"]
