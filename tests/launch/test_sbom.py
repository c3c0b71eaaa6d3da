"""The SBOM lists exactly the packages of the lock, and the check names any difference."""

import json
from pathlib import Path

from django.conf import settings

from console.launch import sbom
from console.launch.check import failed, steps

LOCK = """one==1.0 \\
    --hash=sha256:00
    # via two
two-of-them==2.0 ; python_version >= '3.0' \\
    --hash=sha256:00
nowhere==3.0 ; sys_platform == 'nowhere' \\
    --hash=sha256:00
"""


def test_what_is_installed_is_what_is_locked() -> None:
    (step,) = [step for step in steps() if step.name == "sbom"]
    assert failed([step]) == []
    written = json.loads(sbom.FILE.read_text())
    assert written["metadata"]["component"]["version"] == settings.VERSION
    assert written["bomFormat"] == "CycloneDX"
    names = {component["name"].lower() for component in written["components"]}
    assert {"django", "gunicorn"} <= names
    assert names & {"pip", "setuptools"} == set()
    assert all(component["purl"].startswith("pkg:pypi/") for component in written["components"])


def test_a_difference_is_named_either_way(tmp_path: Path) -> None:
    lock = tmp_path / "requirements.txt"
    lock.write_text(LOCK)
    locked = sbom.locked_in(lock)
    assert locked == {("one", "1.0"), ("two-of-them", "2.0")}

    components = [{"name": "One", "version": "1.1"}, {"name": "two_of_them", "version": "2.0"}]
    file = tmp_path / "sbom.cdx.json"
    file.write_text(json.dumps({"components": components}))
    assert sorted(sbom.differences(sbom.listed_in(file), locked)) == [
        "one 1.0 is locked and not installed",
        "one 1.1 is installed and not locked",
    ]
