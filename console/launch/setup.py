"""Set-up: from a bare `python3` to an environment that matches the lock, then run the command.

Runs with the system's Python before anything is installed, so it uses only the standard library:
`python3 -m console.launch.setup [--dev | --production] -m module words...`
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from console.launch import dependency_checks, pip_settings, system_packages
from console.launch.errors import Trouble

ROOT = Path(__file__).resolve().parent.parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "lock.json"
BYTECODE = VENV / "bytecode"
RUN_LOCK, DEV_LOCK = ROOT / "requirements.txt", ROOT / "requirements-dev.txt"
# Without the embedded services, and without uv: an installation names services of its own.
PRODUCTION_LOCK = ROOT / "requirements-production.txt"
LOCKS = {"--dev": DEV_LOCK, "--production": PRODUCTION_LOCK}
OLDEST = (3, 11)
# Removed after set-up, so that nothing can install packages from inside.
INSTALLERS = ("pip", "setuptools")


def main(words: list[str]) -> None:
    """Prepare the machine, then replace this process by the requested command."""
    lock = LOCKS.get(words[0], RUN_LOCK) if words else RUN_LOCK
    if sys.version_info < OLDEST:
        _become_newer(words)
    keep_bytecode()
    make_ready(lock)
    command = [str(PYTHON), *words[0 if lock == RUN_LOCK else 1 :]]
    os.chdir(ROOT)
    os.execv(command[0], command)


def keep_bytecode() -> None:
    """Share compiled bytecode between all programs started from here.

    Compiling is more than half of the start-up time, and many container images disable bytecode.
    The cache is in the virtual environment, so the sources stay untouched.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ.setdefault("PYTHONPYCACHEPREFIX", str(BYTECODE))


def _become_newer(words: list[str]) -> None:
    """Restart with a newer Python, if the machine has one under its full name."""
    for minor in range(19, OLDEST[1] - 1, -1):
        if newer := shutil.which(f"python3.{minor}"):
            os.execv(newer, [newer, "-m", "console.launch.setup", *words])
    sys.exit(f"Python {OLDEST[0]}.{OLDEST[1]} or newer is needed: install python3.11.")


def make_ready(lock: Path) -> None:
    """Install whatever is missing."""
    packages = system_packages.missing(dev=lock == DEV_LOCK, venv=not is_installed(lock))
    if packages:
        _say(f"Installing {', '.join(packages)}")
        system_packages.install(packages)
    here = os.open(ROOT, os.O_RDONLY)
    fcntl.flock(here, fcntl.LOCK_EX)  # serialise concurrent set-ups
    try:
        if not is_installed(lock):
            install(lock)
        if not is_tried(lock):
            try_programs(lock)
    finally:
        os.close(here)


# The environment


def is_installed(lock: Path) -> bool:
    """Tell whether the environment already matches this lock."""
    stamp = _stamp()
    made = (stamp.get("python"), stamp.get("without"), stamp.get(lock.name))
    return made == (_python_of(PYTHON), _unwanted(lock), _hash(lock))


def _unwanted(lock: Path) -> list[str]:
    return [*INSTALLERS, "uv"] if lock == PRODUCTION_LOCK else list(INSTALLERS)


def _stamp() -> dict[str, Any]:
    try:
        stamp: dict[str, Any] = json.loads(STAMP.read_text())
    except (OSError, ValueError):
        return {}
    return stamp


def install(lock: Path) -> None:
    """Make the environment match the lock, using uv, which is itself locked."""
    if _python_of(PYTHON) is None:
        _make_venv()
    if not _works("-m", "pip", "--version"):
        _bring_pip()
    if not _works("-m", "uv", "--version"):
        _say("Installing uv")
        _install_uv()
    _say(f"Installing {lock.name}")
    arguments, variables = pip_settings.as_uv_has_it(pip_settings.read(PYTHON))
    _uv(
        *("sync", "--require-hashes", *arguments, str(lock)),
        variables=variables,
        trouble=f"The packages of {lock.name} cannot be installed; see the reason above.",
    )
    _uv("uninstall", *_unwanted(lock), trouble="pip cannot be removed; see the reason above.")
    # The development lock includes everything that running needs.
    installed = [lock, RUN_LOCK] if lock == DEV_LOCK else [lock]
    stamp = {"python": _python_of(PYTHON), "without": _unwanted(lock)}
    STAMP.write_text(json.dumps(stamp | {each.name: _hash(each) for each in installed}))


def _uv(*words: str, trouble: str, variables: dict[str, str] | None = None) -> None:
    """Run `uv pip` on the environment."""
    done = subprocess.run(
        [PYTHON, "-m", "uv", "pip", words[0], "--quiet", *words[1:]],
        env={**os.environ, **(variables or {}), "VIRTUAL_ENV": str(VENV)},
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode:
        raise Trouble(trouble)


def _make_venv() -> None:
    _say("Making the virtual environment")
    shutil.rmtree(VENV, ignore_errors=True)
    words = [sys.executable, "-m", "venv", "--without-pip", str(VENV)]
    _run(words, trouble="The virtual environment cannot be made")


def _bring_pip() -> None:
    """Install Python's bundled pip temporarily, to fetch uv with this machine's settings."""
    words = [str(PYTHON), "-m", "ensurepip", "--default-pip"]
    _run(words, trouble="pip cannot be lent to the environment")


def _run(words: list[str], *, trouble: str) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Trouble(f"{trouble}: {done.stdout}{done.stderr}")


def _install_uv() -> None:
    """Install uv with pip, using the version and hashes from the lock."""
    block = re.search(r"^uv==.*?(?=^\S|\Z)", RUN_LOCK.read_text(), re.MULTILINE | re.DOTALL)
    assert block is not None
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as only_uv:
        only_uv.write(block[0])
        only_uv.flush()
        words = [str(PYTHON), "-m", "pip", "install", "--require-hashes", "-r", only_uv.name]
        words += ["--quiet", "--disable-pip-version-check", "--no-input"]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise Trouble("pip cannot install uv; see the reason above.")


def _python_of(python: Path) -> str | None:
    """Return the version of an interpreter that can import its own packages, or None."""
    words = "import sys, sysconfig, os; p = sysconfig.get_path('purelib'); print(sys.version)"
    try:
        done = subprocess.run(
            [python, "-c", f"{words}; sys.exit(not os.path.isdir(p))"],
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _works(*words: str) -> bool:
    return subprocess.run([PYTHON, *words], capture_output=True, check=False).returncode == 0


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


# Every program once


def is_tried(lock: Path) -> bool:
    """Tell whether every program was started successfully in this environment."""
    return _stamp().get(_tried(lock)) == _hash(Path(dependency_checks.__file__))


def try_programs(lock: Path) -> None:
    """Start each program once, and raise Trouble naming those that fail."""
    _say("Starting each program once")
    groups = {"dev": lock == DEV_LOCK, "embedded": lock != PRODUCTION_LOCK}
    if failing := dependency_checks.failing(PYTHON, **groups):
        lines = (f"{trial.name} does not start: {trouble}" for trial, trouble in failing.items())
        raise Trouble("\n".join(lines))
    tried = {_tried(RUN_LOCK), _tried(lock)} if lock == DEV_LOCK else {_tried(lock)}
    STAMP.write_text(
        json.dumps(_stamp() | dict.fromkeys(tried, _hash(Path(dependency_checks.__file__))))
    )


def _tried(lock: Path) -> str:
    return f"tried {lock.name}"


def _say(what: str) -> None:
    print(f"{what} ...", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
