"""The prove harness: every proof leaves a row, whatever happens to it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.report import Row
from console.launch import prove
from console.launch.setup import ROOT

PROOFS = """
from tests.proofs import Proven, proof

@proof("R3", "what holds", small=2, full=5)
def test_holds(proven: Proven) -> None:
    proven.reached(f"{proven.size} tried, 0 broken", met=proven.size > 1)

@proof("R6", "what misses")
def test_misses(proven: Proven) -> None:
    proven.reached("3 effects", met=proven.size > 1, wrong=["the second", "the third"])

@proof("R7", "what breaks")
def test_breaks(proven: Proven) -> None:
    raise RuntimeError("no such table")

@proof("R1", "what takes long", small=0)
def test_takes_long(proven: Proven) -> None:
    proven.reached("1 of 1", met=True)

@proof("R9", "what says nothing")
def test_says_nothing(proven: Proven) -> None:
    pass
"""


def rows_of(folder: Path, **variables: str) -> dict[str, Row]:
    """Run the sample proofs in a separate pytest and return their rows."""
    (folder / "test_samples.py").write_text(PROOFS)
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -q -p tests.proofs -p no:valkey\n")
    words = [sys.executable, "-m", "pytest", "-p", "no:django", str(folder)]
    environment = {
        **{name: value for name, value in os.environ.items() if name != "PYTEST_XDIST_WORKER"},
        "PYTHONPATH": str(ROOT),
        "PROOFS_TO": str(folder / "rows.json"),
        **variables,
    }
    subprocess.run(words, env=environment, cwd=folder, check=False, capture_output=True)
    return {row["id"]: Row(**row) for row in json.loads((folder / "rows.json").read_text())}


def test_every_proof_leaves_a_row_at_its_full_size(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, PROVE="1")
    assert [(row.id, row.figure, row.met) for row in rows.values()] == [
        ("R3", "5 tried, 0 broken", True),
        ("R6", "3 effects", False),
        ("R7", "failed: no such table", False),
        ("R1", "1 of 1", True),
        ("R9", "it told no figure", False),
    ]


def test_the_same_code_runs_small_and_what_takes_long_does_not(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, PROVE="0")
    assert rows["R3"].figure == "2 tried, 0 broken"
    assert list(rows) == ["R3", "R6", "R7", "R9"]


def test_only_the_named_proofs_run(tmp_path: Path) -> None:
    assert list(rows_of(tmp_path, PROOFS_ONLY="R3 R9")) == ["R3", "R9"]


def test_a_proof_that_nobody_wrote_is_a_row_that_is_not_met(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REPORT", str(tmp_path / "report.json"))
    monkeypatch.setattr(sys, "path", list(sys.path))
    held = {"id": "R6", "what": "what holds", "figure": "3 of 3", "goal": "3 of 3", "met": True}
    monkeypatch.setattr(prove, "_run", lambda wanted: [held])
    with pytest.raises(SystemExit) as ended:
        prove.main(["R6", "R3"])

    rows = json.loads((tmp_path / "report.json").read_text())
    assert [(row["id"], row["what"], row["figure"], row["met"]) for row in rows] == [
        ("R3", "no proof is written yet", "nothing", False),
        ("R6", "what holds", "3 of 3", True),
    ]
    assert ended.value.code == 1
    printed = capsys.readouterr().out
    assert "no proof is written yet" in printed
    assert "1 of 2 met." in printed
