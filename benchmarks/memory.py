"""Memory of everything that `make run` starts, at rest, with the demo data."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.report import Row
from tests.services import free_port

MOST_MIB = 450
# All jobs of every minute have run once.
_REST_SECONDS = 150


def measure() -> list[Row]:
    """Start the console in an empty folder, let it rest, and add up its processes."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        settings = {"DATA_DIR": folder, "PORT": str(free_port()), "DEMO": "1"}
        words = [sys.executable, "-m", "console.launch.run"]
        console = subprocess.Popen(
            words, env=os.environ | settings, stdout=subprocess.PIPE, text=True
        )
        try:
            assert console.stdout is not None
            if not any("Running." in line for line in console.stdout):
                raise SystemExit("`make run` does not start.")
            time.sleep(_REST_SECONDS)
            found = parts(console.pid)
        finally:
            console.send_signal(signal.SIGTERM)
            console.wait()
    total = sum(found.values())
    most = ", ".join(f"{name} {mib:.0f}" for name, mib in found.items())
    figure = f"{total:.0f} MiB ({most})"
    return [Row("memory", "`make run` at rest", figure, f"<= {MOST_MIB} MiB", total <= MOST_MIB)]


def parts(launcher: int) -> dict[str, float]:
    """Return the MiB of the launcher and of each process it started, with their descendants.

    Memory that processes share is divided between them (PSS).
    """
    found = {"launcher": _mib(launcher)}
    for child in _children(launcher):
        name = _read(child, "comm").strip()
        found[name] = found.get(name, 0) + sum(map(_mib, _tree(child)))
    return found


def _tree(pid: int) -> Iterator[int]:
    yield pid
    for child in _children(pid):
        yield from _tree(child)


def _children(pid: int) -> list[int]:
    """Return the children of all threads of a process."""
    tasks = Path(f"/proc/{pid}/task").glob("*")
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]


def _mib(pid: int) -> float:
    pss = re.search(r"^Pss: +(\d+) kB$", _read(pid, "smaps_rollup"), re.MULTILINE)
    return int(pss[1]) / 1024 if pss else 0


def _read(pid: int, name: str) -> str:
    """Return a file of a process, or "" if it has ended."""
    try:
        return Path(f"/proc/{pid}/{name}").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
