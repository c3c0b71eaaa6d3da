"""Debian packages that the console needs: found missing, and installed where we may.

Uses only the standard library, because set-up runs it before anything is installed.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys

from console.launch import dependency_checks
from console.launch.errors import Trouble

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
    "iproute2": ("ip", "/usr/sbin/ip"),
    "nginx-light": ("nginx", "/usr/sbin/nginx"),
    "openssl": ("openssl",),
    "poppler-utils": ("pdftotext",),
    "softhsm2": ("softhsm2-util",),
}
# Replacement packages for distributions without the first one.
INSTEAD = {"chromium-headless-shell": "chromium"}


def missing(*, dev: bool, venv: bool) -> list[str]:
    """Return all missing Debian packages, so that one command can install them.

    `dev` includes those of the tests, `venv` the one that creates a virtual environment.
    """
    libraries = LIBRARIES | (DEV_LIBRARIES if dev else {})
    found = [package for package, library in libraries.items() if not _loads(library)]
    # Debian packages it separately from Python.
    if venv and importlib.util.find_spec("ensurepip") is None:
        found.append(f"python{sys.version_info[0]}.{sys.version_info[1]}-venv")
    if dev:
        found += [name for name, ways in PROGRAMS.items() if not any(map(shutil.which, ways))]
    return found


def install(packages: list[str]) -> None:
    """Install the packages if we may. Otherwise raise Trouble naming them."""
    sentence = f"These system packages are missing: apt-get install {' '.join(packages)}"
    become_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if not shutil.which("apt-get") or not _may_run([*become_root, "true"]):
        raise Trouble(sentence)
    apt = [*become_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    apt += ["-o", "DPkg::Lock::Timeout=300"]
    words = [*apt, "install", "-y", "--no-install-recommends"]
    if not _may_run([*words, *packages]):
        _may_run([*apt, "update"])  # a fresh machine has no package lists yet
        to_be_had = [name if _is_known(name) else INSTEAD.get(name, name) for name in packages]
        done = subprocess.run(
            [*words, *to_be_had],
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
