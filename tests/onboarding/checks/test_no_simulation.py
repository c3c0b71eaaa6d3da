"""No part of an installation, and none of its commands, starts with a simulated provider."""

import os
import subprocess
import sys

import pytest

from console.launch.check import PRODUCTION
from tests.guards.tree import ROOT

# Every command reads the same settings. The parts have two ways to start.
PROGRAMS = (
    ("manage.py", "screening"),
    ("-m", "console.launch.part", "prepare"),
    ("-m", "console.launch.part", "web"),
)


@pytest.mark.check
@pytest.mark.parametrize("words", PROGRAMS, ids=" ".join)
def test_no_program_starts(words):
    simulated = {**PRODUCTION, "DEMO": "0", "CHECK_PROVIDERS": "registry=simulated-register"}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT, env={"PATH": os.environ["PATH"], **simulated},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode
    assert "which exists with DEMO=1 only" in done.stderr
