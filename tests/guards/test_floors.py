"""Imports obey the layer contracts in pyproject.toml."""

import subprocess
import sys

import pytest

from tests.guards.tree import ROOT


@pytest.mark.check
def test_every_contract_is_kept():
    run = "import sys; from importlinter.cli import lint_imports_command as c; sys.exit(c())"
    done = subprocess.run(
        [sys.executable, "-c", run, "--no-cache"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
