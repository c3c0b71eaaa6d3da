"""`make reset` refuses an external database unless DEMO=1 is set."""

import os
import subprocess
import sys

import pytest

from console.launch.setup import ROOT


@pytest.mark.check
@pytest.mark.parametrize("said_of_it", [{}, {"DEMO": "0"}])
def test_a_database_of_somebodys_own_is_emptied_only_by_saying_what_it_is(tmp_path, said_of_it):
    """With the production settings in the environment, DEMO is not set."""
    known = {name: value for name, value in os.environ.items() if name != "DEMO"}
    known |= {"DATABASE_URL": "postgres://owner@127.0.0.1:1/kept", "DATA_DIR": str(tmp_path)}
    known |= said_of_it
    kept = tmp_path / "secrets.json"
    kept.write_text("kept")
    words = [sys.executable, "-m", "console.launch.reset"]

    said = subprocess.run(words, env=known, cwd=ROOT, capture_output=True, text=True, check=False)

    assert said.returncode == 1
    assert "DEMO=1 make reset" in said.stderr
    assert kept.read_text() == "kept"
