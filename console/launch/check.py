"""`make check`: all checks that a change must pass, with pytest last.

With names (`make check ARGS=types`), run only those checks.
"""

import os
import secrets
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from console import env
from console.launch.audit import NOT_ASKED
from console.launch.setup import ROOT

PACKAGES = ("console", "onboarding", "agreements", "apikeys", "api", "tests", "benchmarks")
_PYTHON = sys.executable


# Settings as in production. Only their format matters, because the checks connect to nothing.
PRODUCTION = {
    "DATABASE_URL": "postgres://site@localhost/console",
    "DATABASE_OWNER_URL": "postgres://owner@localhost/console",
    "BROKER_URL": "redis://localhost/0",
    "SECRET_KEY": secrets.token_urlsafe(50),
    "KEY_PEPPER": env.new_key(),
    "VAULT_KEYS": env.new_key(),
    "DEMO": "0",
    "HTTPS": "1",
    "SELF_MADE_SEAL": "0",
    "ALLOWED_HOSTS": "console.example.com,pay.example.com",
    "BASE_URL": "https://console.example.com",
    "CHECKOUT_ORIGIN": "https://pay.example.com",
    "TRUSTED_PROXIES": "10.0.0.0/24",
    "DATA_DIR": "/nonexistent",
}


@dataclass(frozen=True)
class CheckStep:
    """One check: its name and its command."""

    name: str
    command: Sequence[str]
    environment: dict[str, str] = field(default_factory=lambda: PRODUCTION)


def _module(*words: str) -> list[str]:
    return [_PYTHON, "-m", *words]


def steps() -> list[CheckStep]:
    """Return the checks, quickest first."""
    imports = "import sys; from importlinter.cli import lint_imports_command as c; sys.exit(c())"
    deploy = [_PYTHON, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    return [
        CheckStep(
            "format",
            _module("ruff", "format", "--check", "--quiet", "--output-format", "concise", "."),
        ),
        CheckStep("lint", _module("ruff", "check", "--quiet", "--output-format", "concise", ".")),
        CheckStep("layers", [_PYTHON, "-c", imports]),
        CheckStep("indentation", _module("djhtml", "--check", "--tabwidth", "2", "templates")),
        CheckStep("templates", _module("djlint", "--lint", "--quiet", "templates")),
        CheckStep("deployment", deploy),
        CheckStep("sbom", _module("console.launch.sbom")),
        CheckStep("licences", _module("console.launch.licences")),
        CheckStep("audit", _module("console.launch.audit")),
        CheckStep("types", _module("mypy", *PACKAGES, "examples")),
    ]


def format_everything() -> None:
    """Format code and templates, and generate the documents in `docs/`."""
    for command in (
        _module("ruff", "check", "--fix-only", "--quiet", "."),
        _module("ruff", "format", "--quiet", "."),
        _module("djhtml", "--tabwidth", "2", "templates"),
        [_PYTHON, "manage.py", "lifecycles"],
        [_PYTHON, "manage.py", "settings"],
    ):
        subprocess.run(command, cwd=ROOT, env={**os.environ, **PRODUCTION}, check=False)


def failed(todo: Iterable[CheckStep]) -> list[str]:
    """Run each check, print the output of failing ones, and return their names."""
    names = []
    for step in todo:
        began = time.monotonic()
        done = subprocess.run(
            step.command,
            cwd=ROOT,
            env={**os.environ, **step.environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        verdict = {0: "ok", NOT_ASKED: "not asked"}.get(done.returncode, "FAILED")
        print(f"{step.name:<22}{verdict:<10}{time.monotonic() - began:5.1f} s", flush=True)
        if verdict == "FAILED":
            print(done.stdout.decode(errors="replace"), flush=True)
            names.append(step.name)
    return names


def main(words: list[str]) -> None:
    """Run all checks. pytest's own summary comes last."""
    if words == ["--format"]:
        format_everything()
        return
    known = [step.name for step in steps()]
    if unknown := [word for word in words if word not in known]:
        sys.exit(f"There is no check {', '.join(unknown)}: choose of {', '.join(known)}.")
    names = failed(step for step in steps() if not words or step.name in words)
    if words:
        sys.exit(bool(names))
    if names:
        print(f"FAILED before the tests: {', '.join(names)}\n", flush=True)
    tests = subprocess.run(
        # Includes the tests that `make test` leaves out.
        [_PYTHON, "-W", "ignore:Unable to activate", "-m", "slipcover", "-m", "pytest", "-m", ""],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    sys.exit(tests.returncode or bool(names))


if __name__ == "__main__":
    main(sys.argv[1:])
