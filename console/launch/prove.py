"""`make prove`: run the proofs at full size, and compare the results with the targets.

A proof that is not written yet is listed as not met.
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
    """Run all proofs, or only those with the given ids."""
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
    """Run pytest on the proofs, and return their rows, or None if the run was interrupted."""
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows.json"
        environment = {
            **os.environ,
            "PROVE": "1",
            "PROOFS_TO": str(rows),
            "PROOFS_ONLY": " ".join(wanted),
        }
        # One at a time, because some measure performance.
        words = [sys.executable, "-m", "pytest", "-n0", "-m", "proof", "--tb=short"]
        subprocess.run(words, env=environment, cwd=ROOT, check=False)
        found: list[dict[str, Any]] | None = json.loads(rows.read_text()) if rows.exists() else None
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
