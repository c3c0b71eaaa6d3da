"""`make prove`: run the proofs at full size, print what each reached beside what is asked.

A proof that nobody wrote yet is a row too: it says so, and is not met.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from console.launch.setup import ROOT


def main(wanted: list[str]) -> None:
    """Prove everything, or only the ids that are named."""
    sys.path.insert(0, str(ROOT))
    from benchmarks.report import Row, publish
    from tests.proofs import ASKED

    if unknown := set(wanted) - set(ASKED):
        sys.exit(f"There is no proof {', '.join(sorted(unknown))}.")
    found = _run(wanted)
    rows = [Row(**row) for row in found or ()]
    proven = {row.id for row in rows}
    why = "the run was broken off" if found is None else "no proof is written yet"
    rows += [
        Row(name, why, "nothing", ASKED[name], met=False)
        for name in wanted or ASKED
        if name not in proven
    ]
    order = list(ASKED)
    rows.sort(key=lambda row: order.index(row.id))
    print()
    sys.exit(0 if publish(rows) else 1)


def _run(wanted: list[str]) -> list[dict[str, Any]] | None:
    """Run pytest on the proofs, and return the rows that they left; None if it did not end."""
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows.json"
        environment = {
            **os.environ,
            "PROVE": "1",
            "PROOFS_TO": str(rows),
            "PROOFS_ONLY": " ".join(wanted),
        }
        # One after the other: some of them measure.
        words = [sys.executable, "-m", "pytest", "-n0", "-m", "proof", "--tb=short"]
        subprocess.run(words, env=environment, cwd=ROOT, check=False)
        found: list[dict[str, Any]] | None = json.loads(rows.read_text()) if rows.exists() else None
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
