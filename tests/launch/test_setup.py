"""Set-up honours the machine's pip settings, names what is missing, and installs only the lock."""

import json
import os
import re
import sys
from importlib import metadata
from pathlib import Path

import pytest

from console.launch import dependency_checks, pip_settings, setup, system_packages
from console.launch.dependency_checks import Trial
from console.launch.errors import Trouble


def test_pips_settings_become_uvs() -> None:
    arguments, variables = pip_settings.as_uv_has_it(
        {
            "index-url": "https://a.example/simple",
            "extra-index-url": "https://b.example/simple\nhttps://c.example/simple",
            "find-links": "/wheels",
            "trusted-host": "a.example",
            "no-index": "true",
            "cert": "/ca.pem",
            "timeout": "9",
            "proxy": "http://p.example:3128",
        }
    )
    assert arguments == [
        *("--index-strategy", "unsafe-best-match", "--index-url", "https://a.example/simple"),
        *("--extra-index-url", "https://b.example/simple"),
        *("--extra-index-url", "https://c.example/simple"),
        *("--find-links", "/wheels", "--allow-insecure-host", "a.example", "--no-index"),
    ]
    assert variables["SSL_CERT_FILE"] == "/ca.pem"
    assert variables["UV_HTTP_TIMEOUT"] == "9"
    assert variables["HTTPS_PROXY"] == "http://p.example:3128"


def test_a_machine_without_settings_needs_no_words() -> None:
    arguments, _ = pip_settings.as_uv_has_it({})
    assert arguments == ["--index-strategy", "unsafe-best-match"]


def test_missing_packages_are_named_by_debians_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_packages, "LIBRARIES", {"libnothing0": "libnothing.so.0"})
    monkeypatch.setattr(
        system_packages, "PROGRAMS", {"chromium": ("none", "neither"), "dash": ("no", "sh")}
    )
    assert system_packages.missing(dev=True, venv=False) == ["libnothing0", "chromium"]
    assert system_packages.missing(dev=False, venv=False) == ["libnothing0"]


def test_a_fresh_machine_is_told_of_all_of_them_at_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """This includes Python's venv package and the libraries of the browser's driver."""
    monkeypatch.setattr(setup, "STAMP", tmp_path / "lock.json")
    monkeypatch.setattr(system_packages, "DEV_LIBRARIES", {"libdriver1": "libdriver.so.1"})
    monkeypatch.setattr(system_packages, "PROGRAMS", {"chromium": ("none",)})
    monkeypatch.setitem(sys.modules, "ensurepip", None)  # as on Debian without python3-venv
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Trouble) as raised:
        setup.make_ready(setup.DEV_LOCK)
    venv = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    assert str(raised.value) == (
        f"These system packages are missing: apt-get install libdriver1 {venv} chromium"
    )


def test_what_a_distribution_lacks_is_replaced(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Ubuntu has no headless shell, so Chromium is installed after updating the package lists."""
    log = tmp_path / "log"
    for name, lines in {
        "apt-get": f'echo "$@" >> {log}; case "$*" in *headless*) exit 100;; esac',
        "apt-cache": 'test "$2" != chromium-headless-shell',
        "sudo": 'shift; exec "$@"',
    }.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{lines}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    system_packages.install(["chromium-headless-shell", "openssl"])

    wanted = [line.rpartition("recommends ")[2] for line in log.read_text().splitlines()]
    assert wanted[0] == "chromium-headless-shell openssl"
    assert wanted[1].endswith("update")
    assert wanted[2:] == ["chromium openssl"]


def test_nothing_is_installed_while_the_lock_is_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lock = tmp_path / "requirements.txt"
    lock.write_text("a==1\n")
    monkeypatch.setattr(setup, "STAMP", tmp_path / "lock.json")
    assert not setup.is_installed(lock)
    stamp = {"python": setup._python_of(setup.PYTHON), lock.name: setup._hash(lock)}
    setup.STAMP.write_text(json.dumps(stamp))
    assert not setup.is_installed(lock)  # an older environment that still contains pip
    setup.STAMP.write_text(json.dumps({**stamp, "without": ["pip", "setuptools"]}))
    assert setup.is_installed(lock)
    lock.write_text("a==2\n")
    assert not setup.is_installed(lock)


# Running every program once -------------------------------------------------------------------

BROKEN = "import sys; sys.exit('libatomic.so.1: cannot open shared object file')"


def a_trial(code: str, *, dev: bool = False, unless: str = "") -> Trial:
    return Trial("The driver", (), ("-c", code), dev=dev, unless=unless)


@pytest.mark.check
def test_every_program_of_this_machine_starts() -> None:
    assert dependency_checks.failing(setup.PYTHON, dev=True, embedded=True) == {}


def test_a_program_that_is_there_and_does_not_start_is_found() -> None:
    assert "libatomic" in a_trial(BROKEN).trouble(setup.PYTHON)
    assert a_trial("").trouble(setup.PYTHON) == ""
    absent = Trial("Nothing", ("no-such-program",), ())
    assert absent.trouble(setup.PYTHON) == "it is not installed"


def test_what_is_not_needed_here_is_not_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        dependency_checks, "TRIALS", (a_trial(BROKEN, dev=True), a_trial(BROKEN, unless="DB"))
    )
    monkeypatch.setenv("DB", "postgres://elsewhere")
    assert dependency_checks.failing(setup.PYTHON, dev=False, embedded=True) == {}
    assert len(dependency_checks.failing(setup.PYTHON, dev=True, embedded=True)) == 1
    monkeypatch.delenv("DB")
    assert len(dependency_checks.failing(setup.PYTHON, dev=False, embedded=True)) == 1
    assert dependency_checks.failing(setup.PYTHON, dev=False, embedded=False) == {}


def test_what_started_once_is_not_tried_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(dependency_checks, "TRIALS", (a_trial(""),))
    monkeypatch.setattr(setup, "STAMP", tmp_path / "lock.json")
    assert not setup.is_tried(setup.DEV_LOCK)
    setup.try_programs(setup.DEV_LOCK)
    assert setup.is_tried(setup.DEV_LOCK)
    assert setup.is_tried(setup.RUN_LOCK)


def test_what_does_not_start_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(dependency_checks, "TRIALS", (a_trial(BROKEN),))
    monkeypatch.setattr(setup, "STAMP", tmp_path / "lock.json")
    with pytest.raises(Trouble, match=r"The driver does not start: libatomic\.so\.1"):
        setup.try_programs(setup.RUN_LOCK)
    assert not setup.is_tried(setup.RUN_LOCK)


def test_the_environment_holds_no_installer_but_the_locked_one() -> None:
    installed = {package.metadata["Name"].lower() for package in metadata.distributions()}
    assert "uv" in installed
    assert installed & {"pip", "setuptools", "wheel"} == set()
    assert not list((setup.VENV / "bin").glob("pip*"))


def block(package: str) -> str:
    """Return the lines of the lock that pin a package and its hashes."""
    pattern = rf"^{package}==.*?(?=^\S|\Z)"
    found = re.search(pattern, setup.RUN_LOCK.read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[0]


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Set up in an empty folder, and return the path of its lock."""
    monkeypatch.setattr(setup, "VENV", tmp_path / "venv")
    monkeypatch.setattr(setup, "PYTHON", tmp_path / "venv" / "bin" / "python")
    monkeypatch.setattr(setup, "STAMP", tmp_path / "venv" / "lock.json")
    return tmp_path / "requirements.txt"


@pytest.mark.check
def test_it_is_made_made_again_and_changed_without_leaving_one(fresh: Path) -> None:
    """Make a real environment from nothing, then change it to another lock."""
    for number in range(2):
        fresh.write_text(f"{block('uv')}# {number}\n")
        assert not setup.is_installed(fresh)
        setup.install(fresh)
        assert setup.is_installed(fresh)
        assert not setup._works("-c", "import pip")
        assert not setup._works("-c", "import setuptools")
        assert setup._works("-m", "uv", "--version")


@pytest.mark.check
def test_an_environment_for_production_has_no_installer_at_all(
    monkeypatch: pytest.MonkeyPatch, fresh: Path
) -> None:
    fresh.write_text(block("segno"))
    monkeypatch.setattr(setup, "PRODUCTION_LOCK", fresh)
    setup.install(fresh)
    assert setup.is_installed(fresh)
    assert setup._works("-c", "import segno")
    assert not setup._works("-c", "import pip")
    assert not setup._works("-c", "import uv")
    assert not (setup.VENV / "bin" / "uv").exists()
