"""No part of an installation, and none of its commands, starts with a simulated provider."""

import os
import subprocess
import sys

import pytest

from console.launch.check import PRODUCTION
from onboarding.models.check import CheckKind
from tests.guards.tree import PACKAGES, ROOT

PARTS = ("prepare", "web", "worker", "beat", "deliver")
COMMANDS = sorted(
    path.stem
    for package in PACKAGES
    for path in (ROOT / package).rglob("management/commands/[!_]*.py")
)
REFUSED = "which exists with DEMO=1 only"


def started(*words: str, kind: str = "registry") -> subprocess.CompletedProcess[str]:
    """Start a program of an installation whose setting names a simulated provider."""
    simulated = {**PRODUCTION, "DEMO": "0", "CHECK_PROVIDERS": f"{kind}=simulated-register"}
    return subprocess.run(
        [sys.executable, *words],
        cwd=ROOT, env={"PATH": os.environ["PATH"], **simulated},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("part", PARTS)
def test_no_part_starts(part):
    done = started("-m", "console.launch.part", part)
    assert done.returncode
    assert REFUSED in done.stderr


def test_no_command_runs():
    assert {"screening", "remove_evidence", "publish"} <= set(COMMANDS)
    for command in (*COMMANDS, "check"):
        done = started("manage.py", command)
        assert done.returncode, command
        assert REFUSED in done.stderr, command


@pytest.mark.parametrize("kind", CheckKind.values)
def test_no_kind_of_check_is_simulated(kind):
    done = started("manage.py", "check", "--deploy", kind=kind)
    assert done.returncode
    assert REFUSED in done.stderr
