"""What `make reset` does not empty."""

import os
import subprocess
import sys

from console.launch.setup import ROOT


def test_a_database_of_somebodys_own_is_emptied_only_by_saying_what_it_is(tmp_path):
    """Whoever has the production files in the environment has no DEMO in it."""
    known = {name: value for name, value in os.environ.items() if name != "DEMO"}
    known |= {"DATABASE_URL": "postgres://owner@127.0.0.1:1/kept", "DATA_DIR": str(tmp_path)}
    kept = tmp_path / "audit-heads.jsonl"
    kept.write_text("kept")
    words = [sys.executable, "-m", "console.launch.reset"]

    said = subprocess.run(words, env=known, cwd=ROOT, capture_output=True, text=True, check=False)

    assert said.returncode == 1
    assert "DEMO=1 make reset" in said.stderr
    assert kept.read_text() == "kept"
