"""Promises of the versioned API: an append-only list.

`contract.jsonl` has one promise per line: an operation with its scope, product and response. Each
line contains the SHA-256 of the line before it, so a changed, moved or removed line breaks the
chain. As an editor could recompute the chain, every version of the file on the main branch must
also be a prefix of today's; this detects an edit even in the commit that makes it. When a branch is
merged, its promises are appended to those already there.

Without git, only the chain is checked; a truncated history is checked as far as it goes.
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
    """Return the line that promises an operation, chained to the given line."""
    link = sha256(before.encode()).hexdigest() if before else START
    return json.dumps({"operation": name, "promise": promise, "previous": link}, sort_keys=True)


def lines() -> list[str]:
    return (HERE / NAME).read_text().splitlines()


def promised(read: Sequence[str]) -> dict[str, Any]:
    """Return the current promises: the newest one for each operation."""
    rows = [json.loads(one) for one in read]
    return {row["operation"]: row["promise"] for row in rows}


def faults(read: Sequence[str]) -> Iterator[str]:
    """Yield errors in the chain, and promises that break earlier ones."""
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
    """Yield promises that are no longer kept. Additions are allowed.

    A field that becomes optional is allowed too.
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
    """Return the commits whose file is not a prefix of this one."""
    return [commit for commit, then in history.items() if list(read[: len(then)]) != list(then)]


def committed() -> dict[str, list[str]]:
    """Return every version of the file in the first-parent history, by commit."""
    return {one: _git("show", f"{one}:./{NAME}").splitlines() for one in _commits()}


def has_history() -> bool:
    """Tell whether there is a git history and git to read it."""
    return bool(shutil.which("git")) and (ROOT / ".git").exists()


def _commits() -> list[str]:
    return _git("log", "--first-parent", "--format=%H", "--", NAME).split() if has_history() else []


def _git(*words: str) -> str:
    command = ["git", "-c", f"safe.directory={ROOT}", "-C", str(HERE), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
