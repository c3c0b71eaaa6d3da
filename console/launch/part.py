"""`python -m console.launch.part web`: run one process under systemd or in a container."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType

import psycopg
from django.core.exceptions import ImproperlyConfigured

from console import env
from console.launch import failed_starts, programs
from console.launch.setup import ROOT

_MANAGE = [sys.executable, "manage.py"]
_CHECK = [*_MANAGE, "check", "--deploy", "--fail-level", "WARNING"]
# Demo data contains users with published passwords.
_DEMO_CHECK = [*_MANAGE, "demo", "check"]
_OWNER = "DATABASE_OWNER_URL"
_PARTS = ("web", "worker", "deliver", "beat")
# One preparation at a time holds this advisory lock.
_LOCK = "SELECT pg_try_advisory_lock(7300)"


def main(words: list[str]) -> None:
    """Replace this process by web, worker, beat or deliver; or prepare the installation."""
    os.chdir(ROOT)
    if len(words) != 1 or words[0] not in ("prepare", *_PARTS):
        sys.exit(f"Name one part: {', '.join(_PARTS)} or prepare.")
    (part,) = words
    with failed_starts.paused(part):
        settings = _read_settings()
        if part == "prepare":
            prepare()
            return
        _refuse_the_owner(part)
        _run([*_MANAGE, "join", part], dict(os.environ))
        command = _command(part, settings)
    known = dict(os.environ)
    environment = known if part == "web" else programs.without_pool(known)
    os.execvpe(command[0], command, environment)


def _read_settings() -> ModuleType:
    """Return the settings, or exit with the message about the wrong one, without a traceback."""
    try:
        settings = import_module("console.settings")
    except ImproperlyConfigured as wrong:
        sys.exit(str(wrong))
    if settings.SELF_MADE_SEAL:
        sys.exit("SELF_MADE_SEAL=1 is for `make run`: hosts of an installation share a seal.")
    return settings


def _command(part: str, settings: ModuleType) -> list[str]:
    commands = {
        "web": programs.web(),
        "worker": programs.worker(processes=settings.WORKER_PROCESSES),
        "deliver": programs.deliver(),
        "beat": programs.beat(settings.DATA_DIR / "beat-schedule"),
    }
    return commands[part]


def _refuse_the_owner(part: str) -> None:
    """Refuse the owner's URL, which would allow changes to tables and audit log triggers."""
    if env.text(_OWNER, ""):
        sys.exit(
            f"{_OWNER} is set, and {part} must not know the owner's password. Move it to "
            "owner.env, which the unit access-console-prepare alone reads; see docs/operations.md."
        )


def prepare() -> None:
    """Refuse unsafe settings, migrate as the owner, then prepare everything else as the site."""
    owner = env.text(_OWNER, "")
    if not owner:
        sys.exit(f"{_OWNER} is missing: it belongs into owner.env; see docs/operations.md.")
    owners = (_OWNER, env.file_of(_OWNER))
    site = {name: value for name, value in os.environ.items() if name not in owners}
    _run(_CHECK, dict(os.environ))
    with _alone(owner):
        as_owner = {**site, "DATABASE_URL": owner, env.file_of("DATABASE_URL"): ""}
        _run([*_MANAGE, "migrate", "--no-input"], as_owner)
        # A restored database lacks them.
        _run([*_MANAGE, "database_privileges"], as_owner)
        # This check needs the tables: the site's role may own none of them.
        _run([*_CHECK, "--database", "default"], site)
        _run(_DEMO_CHECK, site)
        _run([sys.executable, "-m", "console.launch.prepare"], site)


@contextmanager
def _alone(owner: str) -> Iterator[None]:
    """Wait until no other host prepares. The lock ends with this connection, however it ends."""
    try:
        connection = psycopg.connect(owner, autocommit=True)
        if not _locks(connection):
            print("Waiting for another host that prepares.", flush=True)
            # A statement that waits would block a migration that builds an index concurrently.
            while not _locks(connection):
                time.sleep(1)
    except psycopg.OperationalError as error:
        sys.exit(f"The database cannot be asked: {error}")
    with connection:
        yield


def _locks(connection: "psycopg.Connection[tuple[object, ...]]") -> bool:
    return connection.execute(_LOCK).fetchone() == (True,)


def _run(command: list[str], environment: dict[str, str]) -> None:
    """Run a command, and exit if it fails."""
    if status := subprocess.run(command, env=environment, check=False).returncode:
        sys.exit(status)


if __name__ == "__main__":
    main(sys.argv[1:])
