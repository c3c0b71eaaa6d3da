"""Dependency checks: start each required program once, to find missing system libraries.

Lists of packages do not show whether a program's own libraries are installed. Uses only the
standard library, because set-up runs it with the system's Python.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 120  # seconds; the first start of a browser on a small machine is slow
_SERVER = """
import subprocess, sys
from console.launch.{module} import {function} as found
sys.exit(subprocess.run([found(){below}, "--version"]).returncode)
"""


@dataclass(frozen=True)
class Trial:
    """How to start a program once.

    `words` follow the first of `names` that is found or, without names, our Python. `unless` is the
    setting that selects an external service instead of this program.
    """

    name: str
    names: tuple[str, ...]
    words: tuple[str, ...]
    dev: bool = False
    unless: str = ""

    def trouble(self, python: Path) -> str:
        """Return why the program does not start, or ""."""
        program = next(filter(None, map(shutil.which, self.names)), None)
        if self.names and program is None:
            return "it is not installed"
        command = [program or str(python), *self.words]
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=PATIENCE,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as failed:
            return str(failed)
        said = (done.stderr or done.stdout).strip().splitlines()
        return (said[-1] if said else f"it ended with {done.returncode}") * bool(done.returncode)


def _server(name: str, module: str, function: str, below: str, *, unless: str) -> Trial:
    code = _SERVER.format(module=module, function=function, below=below)
    return Trial(name, (), ("-c", code), unless=unless)


# The headless shell has no windows and starts in half the time.
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
HEADLESS = ("--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "about:blank")
TRIALS = (
    Trial("WeasyPrint", (), ("-c", "import weasyprint")),
    _server("PostgreSQL", "postgres", "binaries", " / 'postgres'", unless="DATABASE_URL"),
    _server("Valkey", "valkey", "binary", "", unless="BROKER_URL"),
    Trial("openssl", ("openssl",), ("version",), dev=True),
    Trial("pdftotext", ("pdftotext",), ("-v",), dev=True),
    Trial("Playwright", (), ("-m", "playwright", "--version"), dev=True),
    Trial("Chromium", CHROMIUM, HEADLESS, dev=True),
)


def failing(python: Path, *, dev: bool, embedded: bool) -> dict[Trial, str]:
    """Start every required program. Return those that fail, with the reason."""
    external = os.environ if embedded else {one.unless for one in TRIALS if one.unless}
    needed = [one for one in TRIALS if (dev or not one.dev) and one.unless not in external]
    found = ((one, one.trouble(python)) for one in needed)
    return {one: trouble for one, trouble in found if trouble}
