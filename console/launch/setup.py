"""Set-up: from a bare `python3` to an environment that matches the lock, then run the command.

Runs with the system's Python before anything is installed, so it uses only the standard library:
`python3 -m console.launch.setup [--dev] -m module words...`
"""

from __future__ import annotations

import ctypes
import fcntl
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from console.launch import dependency_checks, pip_settings
from console.launch.errors import Trouble

ROOT = Path(__file__).resolve().parent.parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "lock.json"
BYTECODE = VENV / "bytecode"
RUN_LOCK, DEV_LOCK = ROOT / "requirements.txt", ROOT / "requirements-dev.txt"
OLDEST = (3, 11)
# Removed after set-up, so that nothing can install packages from inside.
INSTALLERS = ("pip", "setuptools")

# Debian packages, with the library that each provides.
LIBRARIES = {
    "libpango-1.0-0": "libpango-1.0.so.0",
    "libpangoft2-1.0-0": "libpangoft2-1.0.so.0",
    "libharfbuzz-subset0": "libharfbuzz-subset.so.0",
}
# Required by the test browser's driver.
DEV_LIBRARIES = {"libatomic1": "libatomic.so.1"}
# Programs that the tests run: Debian package, then the possible names.
PROGRAMS = {
    "chromium-headless-shell": dependency_checks.CHROMIUM,
    "nginx-light": ("nginx", "/usr/sbin/nginx"),
    "openssl": ("openssl",),
    "poppler-utils": ("pdftotext",),
    "softhsm2": ("softhsm2-util",),
}
# Replacement packages for distributions without the first one.
INSTEAD = {"chromium-headless-shell": "chromium"}


def main(words: list[str]) -> None:
    """Prepare the machine, then replace this process by the requested command."""
    dev = words[:1] == ["--dev"]
    if sys.version_info < OLDEST:
        _become_newer(words)
    keep_bytecode()
    try:
        make_ready(dev=dev)
    except Trouble as trouble:
        sys.exit(str(trouble))
    command = [str(PYTHON), *words[1 if dev else 0 :]]
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


def make_ready(*, dev: bool) -> None:
    """Install whatever is missing."""
    install_system_packages(missing_packages(dev=dev))
    here = os.open(ROOT, os.O_RDONLY)
    fcntl.flock(here, fcntl.LOCK_EX)  # serialise concurrent set-ups
    try:
        if not is_installed(_lock(dev=dev)):
            install(_lock(dev=dev))
        if not is_tried(dev=dev):
            try_programs(dev=dev)
    finally:
        os.close(here)


# The environment


def is_installed(lock: Path) -> bool:
    """Tell whether the environment already matches this lock."""
    stamp = _stamp()
    made = (stamp.get("python"), stamp.get("without"), stamp.get(lock.name))
    return made == (_python_of(PYTHON), list(INSTALLERS), _hash(lock))


def _lock(*, dev: bool) -> Path:
    return DEV_LOCK if dev else RUN_LOCK


def _stamp() -> dict[str, Any]:
    try:
        stamp: dict[str, Any] = json.loads(STAMP.read_text())
    except (OSError, ValueError):
        return {}
    return stamp


def install(lock: Path) -> None:
    """Make the environment match the lock, using uv, which is itself installed from the lock."""
    if _python_of(PYTHON) is None:
        _make_venv()
    if not _works("-m", "pip", "--version"):
        _bring_pip()
    if not _works("-m", "uv", "--version"):
        _say("Installing uv")
        _install_uv(lock)
    _say(f"Installing {lock.name}")
    arguments, variables = pip_settings.as_uv_has_it(pip_settings.read(PYTHON))
    _uv(
        *("sync", "--require-hashes", *arguments, str(lock)),
        variables=variables,
        trouble=f"The packages of {lock.name} cannot be installed; the reason stands above.",
    )
    _uv("uninstall", *INSTALLERS, trouble="pip cannot be removed; the reason stands above.")
    # The development lock includes everything that running needs.
    installed = [lock, RUN_LOCK] if lock == DEV_LOCK else [lock]
    stamp = {"python": _python_of(PYTHON), "without": list(INSTALLERS)}
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
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Trouble(f"The virtual environment cannot be made: {done.stdout}{done.stderr}")


def _bring_pip() -> None:
    """Install Python's bundled pip temporarily, to fetch uv with this machine's settings."""
    words = [str(PYTHON), "-m", "ensurepip", "--default-pip"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Trouble(f"pip cannot be lent to the environment: {done.stdout}{done.stderr}")


def _install_uv(lock: Path) -> None:
    """Install uv with pip, using the version and hashes from the lock."""
    block = re.search(r"^uv==.*?(?=^\S|\Z)", lock.read_text(), re.MULTILINE | re.DOTALL)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as only_uv:
        only_uv.write(block[0] if block else "uv")
        only_uv.flush()
        hashes = ["--require-hashes"] if block else []
        quiet = ["--quiet", "--disable-pip-version-check", "--no-input"]
        words = [str(PYTHON), "-m", "pip", "install", *quiet, *hashes, "-r", only_uv.name]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise Trouble("pip cannot install uv; the reason stands above.")


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


# The machine


def is_tried(*, dev: bool) -> bool:
    """Tell whether every program was started successfully in this environment."""
    return _stamp().get("tried with tests" if dev else "tried") == _hash(
        Path(dependency_checks.__file__)
    )


def try_programs(*, dev: bool) -> None:
    """Start each program once, and raise Trouble naming those that fail."""
    _say("Starting each program once")
    if failing := dependency_checks.failing(PYTHON, dev=dev):
        lines = (f"{trial.name} does not start: {trouble}" for trial, trouble in failing.items())
        raise Trouble("\n".join(lines))
    tried = ["tried", *(["tried with tests"] if dev else [])]
    STAMP.write_text(
        json.dumps(_stamp() | dict.fromkeys(tried, _hash(Path(dependency_checks.__file__))))
    )


def missing_packages(*, dev: bool) -> list[str]:
    """Return all missing Debian packages, so that one command can install them."""
    libraries = LIBRARIES | (DEV_LIBRARIES if dev else {})
    missing = [package for package, library in libraries.items() if not _loads(library)]
    # Debian packages it separately from Python, and creating the environment requires it.
    if importlib.util.find_spec("ensurepip") is None and not is_installed(_lock(dev=dev)):
        missing.append(f"python{sys.version_info[0]}.{sys.version_info[1]}-venv")
    if dev:
        missing += [name for name, ways in PROGRAMS.items() if not any(map(shutil.which, ways))]
    return missing


def install_system_packages(packages: list[str]) -> None:
    """Install the packages if we may. Otherwise raise Trouble naming them."""
    if not packages:
        return
    sentence = f"These system packages are missing: apt-get install {' '.join(packages)}"
    become_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if not shutil.which("apt-get") or not _may_run([*become_root, "true"]):
        raise Trouble(sentence)
    _say(f"Installing {', '.join(packages)}")
    apt = [*become_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    apt += ["-o", "DPkg::Lock::Timeout=300"]
    install = [*apt, "install", "-y", "--no-install-recommends"]
    if not _may_run([*install, *packages]):
        _may_run([*apt, "update"])  # a fresh machine has no package lists yet
        to_be_had = [name if _is_known(name) else INSTEAD.get(name, name) for name in packages]
        done = subprocess.run(
            [*install, *to_be_had],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        if done.returncode:
            raise Trouble(f"{done.stderr.strip()}\n{sentence}")


def _is_known(package: str) -> bool:
    return _may_run(["apt-cache", "show", package])


def _may_run(words: list[str]) -> bool:
    try:
        done = subprocess.run(words, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    except OSError:
        return False
    return done.returncode == 0


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _say(what: str) -> None:
    print(f"{what} ...", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
