"""Memory of everything that `make run` starts, at rest, with the demo data."""

import os
import re
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.report import Row
from tests.services import free_port

MOST_MIB = 450
_PAGE = resource.getpagesize()
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
            found, total = parts(console.pid), alone(console.pid)
        finally:
            console.send_signal(signal.SIGTERM)
            console.wait()
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


def alone(launcher: int) -> float:
    """Return the MiB of the launcher and its descendants on a machine of their own.

    PSS divides pages also with processes outside, such as this one. Here each page counts once. An
    entry of the kernel's `pagemap` has 64 bits: the highest says that the page is in memory, the
    lowest 55 are its number, which only root may read.
    """
    if os.geteuid():
        raise SystemExit("Only root may count pages: run the memory benchmark as root.")
    return len({page for pid in _tree(launcher) for page in _pages(pid)}) * _PAGE / 2**20


def _pages(pid: int) -> Iterator[int]:
    for line in _read(pid, "maps").splitlines():
        first, end = (int(address, 16) // _PAGE for address in line.split()[0].split("-"))
        try:
            with Path(f"/proc/{pid}/pagemap").open("rb", buffering=0) as entries:
                entries.seek(first * 8)
                read = entries.read((end - first) * 8)
        except (FileNotFoundError, ProcessLookupError, OverflowError):
            continue  # It has ended, or these are the kernel's own pages.
        for (entry,) in struct.iter_unpack("<Q", read):
            if entry >> 63:
                yield entry & (2**55 - 1)


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
