"""The tools hold what they were set up to hold: each is shown faults, and must find every one."""

import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.guards.tree import PACKAGES, ROOT

SETUP = tomllib.loads((ROOT / "pyproject.toml").read_text())
CONTRACTS = {one["id"]: one["name"] for one in SETUP["tool"]["importlinter"]["contracts"]}

# For each contract of another kind than layers: a module, and an import that it may not have.
PLANTED = {
    "renderer": ("agreements/rendering/document_pdf.py", "django.db"),
    "rules": ("onboarding/tiers.py", "django.db"),
    "circles": ("console/events/outbox.py", "console.events.tasks"),
    "audit-writer": ("console/governance/work.py", "console.audit.models"),
}
LAYERED = [one for one in SETUP["tool"]["importlinter"]["contracts"] if one["type"] == "layers"]


def upward(contract) -> tuple[str, str]:
    """Return a module of the lowest layer, and the import of one of the highest."""
    layers = contract["layers"]
    container = f"{contract['containers'][0]}." if "containers" in contract else ""
    highest, lowest = (layers[at].replace(":", "|").split("|")[0].strip() for at in (0, -1))
    below = Path(*f"{container}{lowest}".split("."))
    file = below / "__init__.py" if (ROOT / below).is_dir() else below.with_suffix(".py")
    return str(file), f"{container}{highest}"


def broken_in(folder: Path) -> set[str]:
    """Return the names of the contracts that the code in a folder breaks."""
    run = "import sys; from importlinter.cli import lint_imports_command as c; sys.exit(c())"
    done = subprocess.run(
        [sys.executable, "-c", run, "--no-cache"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    lines = [line.strip() for line in done.stdout.splitlines()]
    broken = {name for name in CONTRACTS.values() if f"{name} BROKEN" in lines}
    kept = {name for name in CONTRACTS.values() if f"{name} KEPT" in lines}
    assert broken | kept == set(CONTRACTS.values()), done.stdout + done.stderr
    assert bool(done.returncode) == bool(broken)
    return broken


@pytest.fixture
def copy(tmp_path):
    """The packages and their contracts, where faults can be planted."""
    for package in PACKAGES:
        only = shutil.ignore_patterns("__pycache__", "library", "*.json", "*.toml")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=only)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


@pytest.mark.check
def test_every_contract_is_kept_and_is_broken_by_its_planted_import(copy):
    planted = PLANTED | {contract["id"]: upward(contract) for contract in LAYERED}
    assert planted.keys() == CONTRACTS.keys()
    assert broken_in(copy) == set()
    for path, imported in planted.values():
        with (copy / path).open("a") as module:
            module.write(f"\nimport {imported}\n")
    assert broken_in(copy) == set(CONTRACTS.values())


@pytest.mark.check
def test_an_import_for_types_alone_closes_a_circle(copy):
    with (copy / "onboarding/intake/signatory.py").open("a") as module:
        module.write("\nfrom typing import TYPE_CHECKING\n")
        module.write("\nif TYPE_CHECKING:\n    from onboarding.intake.answers import Saving\n")
    assert broken_in(copy) == {CONTRACTS["circles"]}


@pytest.mark.check
def test_a_new_module_needs_no_line_in_the_contracts(copy):
    for package in PACKAGES:
        for folder in [copy / package, *(path.parent for path in copy.glob(f"{package}/*/*.py"))]:
            (folder / "new_module.py").write_text('"""New."""\n')
    assert broken_in(copy) == set()


# Lint

FAULTS = '''"""A module with every habit we do not have."""

import datetime
import requests
from django.contrib.auth.decorators import login_required
from django.db.models.signals import post_save
from django.utils.timezone import now
from . import neighbour


def tell(thing, loud=False):
    try:
        print(thing)
    except Exception:
        pass
    # thing.save()
    return datetime.datetime.now()
'''
FOUND = {
    "TID251": 4,  # the banned: timezone.now, requests, signals, login_required
    "TID252": 1,  # a relative import
    "FBT002": 1,  # a positional flag
    "T201": 1,  # print
    "BLE001": 1,  # except Exception
    "S110": 1,  # and silence after it
    "ERA001": 1,  # code in a comment
    "DTZ005": 1,  # a time without a zone
}


def found_by_ruff(text: str) -> list[str]:
    """Return the codes that ruff reports of a module of ours with this text."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "ruff", "check", "--no-cache", "--output-format", "json"),
            *("--stdin-filename", "onboarding/planted.py", "-"),
        ],
        cwd=ROOT, input=text, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return [fault["code"] for fault in json.loads(done.stdout)]


def test_ruff_sees_every_planted_fault():
    found = found_by_ruff(FAULTS)
    assert {code: found.count(code) for code in FOUND} == FOUND


def test_ruff_sees_a_function_that_is_too_much():
    branches = "".join(f"    if thing == {n}:\n        return {n}\n" for n in range(9))
    found = found_by_ruff(f'"""One."""\n\n\ndef much(thing: int) -> int:\n{branches}    return 0\n')
    assert {"C901", "PLR0911"} <= set(found)


def test_ruff_sees_nothing_in_a_good_module():
    good = '"""One."""\n\nfrom console.core import clock\n\nNOW = clock.now()\n'
    assert found_by_ruff(good) == []


# Types

WRONG_CALLS = '''"""Two calls that no test may have to find."""

from console.accounts import businesses
from onboarding.models import Application


def wrong() -> None:
    businesses.register("Acme", by="alice")
    Application.objects.filter(statsu="draft")
'''


@pytest.mark.check
def test_mypy_sees_an_actor_that_is_no_person_and_a_field_that_is_none(tmp_path):
    (tmp_path / "planted.py").write_text(WRONG_CALLS)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--follow-imports", "silent"),
            *("--cache-dir", str(tmp_path / "cache"), str(tmp_path / "planted.py")),
        ],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = [line for line in done.stdout.splitlines() if "planted.py" in line]
    assert len(found) == 2, done.stdout + done.stderr
    assert 'expected "User"' in found[0]
    assert "statsu" in found[1]
