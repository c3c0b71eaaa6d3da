"""What the versioned family has promised: a list of promises that is only ever added to.

`contract.jsonl` holds one promise a line: an operation with its scope, product and answer. Each
line carries the SHA-256 of the line before it, so a line that is altered, moved or removed breaks
the chain. Whoever edits the file can link the chain anew; so every version of it that the main
line ever had must also be a beginning of today's, and an edit shows even in the commit that makes
it. What a branch promises is linked behind what is promised already when it is merged.
Without git the chain alone is asked; a history that was cut tells as much as is left of it.
"""

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.guards.tree import ROOT

HERE = Path(__file__).parent
NAME = "contract.jsonl"
START = "0" * 64


def line(name: str, promise: dict[str, Any], before: str) -> str:
    """Return the line that promises an operation after that line."""
    link = sha256(before.encode()).hexdigest() if before else START
    return json.dumps({"operation": name, "promise": promise, "previous": link}, sort_keys=True)


def lines() -> list[str]:
    return (HERE / NAME).read_text().splitlines()


def promised(read: Sequence[str]) -> dict[str, Any]:
    """Return what is promised now: the newest promise about each operation."""
    rows = [json.loads(one) for one in read]
    return {row["operation"]: row["promise"] for row in rows}


def faults(read: Sequence[str]) -> Iterator[str]:
    """Yield what is wrong with the chain, and every promise that takes back an earlier one."""
    before = ""
    newest: dict[str, Any] = {}
    for number, one in enumerate(read, 1):
        row = json.loads(one)
        if line(row["operation"], row["promise"], before) != one:
            yield f"Line {number} does not follow from the line before it."
        earlier = newest.get(row["operation"], {})
        for path in taken_back(earlier, row["promise"]):
            yield f"Line {number} takes back {row['operation']}: {path}"
        before = one
        newest[row["operation"]] = row["promise"]


def taken_back(earlier: Any, later: Any, path: str = "") -> Iterator[str]:
    """Yield what was promised and is no longer, or is something else. What is new is welcome.

    So is a member that may be left out from now on.
    """
    if isinstance(earlier, dict) and isinstance(later, dict):
        for name, value in earlier.items():
            if name in later:
                yield from taken_back(value, later[name], f"{path}/{name}")
            else:
                yield f"{path}/{name}"
    elif earlier != later and not (path.endswith("/required") and later is False):
        yield path or "all of it"


def rewritten(read: Sequence[str], history: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the commits whose file is no beginning of this one."""
    return [commit for commit, then in history.items() if list(read[: len(then)]) != list(then)]


def committed() -> dict[str, list[str]]:
    """Return every version of the file that the main line of the history has, by its commit."""
    return {one: _git("show", f"{one}:./{NAME}").splitlines() for one in _commits()}


def has_history() -> bool:
    """Tell whether there is a history, and git to read it."""
    return bool(shutil.which("git")) and (ROOT / ".git").exists()


def _commits() -> list[str]:
    return _git("log", "--first-parent", "--format=%H", "--", NAME).split() if has_history() else []


def _git(*words: str) -> str:
    command = ["git", "-c", f"safe.directory={ROOT}", "-C", str(HERE), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
