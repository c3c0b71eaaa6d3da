"""Command lines of our own processes. Each ends when its parent process does."""

import runpy
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

# Connections that a web process keeps open; the settings raise it if there are more threads.
WEB_POOL = 10
_PYTHON = ("setpriv", "--pdeathsig", "TERM", "--", sys.executable, "-m")
# When stopped, the server lets running requests finish within this time.
STOP_SECONDS = 15


def web() -> list[str]:
    """Return the command that serves the console and the API (gunicorn.conf.py)."""
    return [*_PYTHON, "gunicorn"]


def worker(*, processes: int = 2) -> list[str]:
    """Return the command of the background worker."""
    return _celery(
        *("worker", "--concurrency", str(processes), "--loglevel", "INFO"),
        *("--without-mingle", "--without-gossip"),
    )


def deliver() -> list[str]:
    """Return the command that sends webhooks."""
    return [*_PYTHON, "manage", "deliver"]


def beat(schedule: Path) -> list[str]:
    """Return the command of the scheduler; the file records when each job last ran."""
    return _celery("beat", "--pidfile=", "--schedule", str(schedule), "--loglevel", "WARNING")


def without_pool(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the settings for a process whose threads come and go, each with its own connection.

    A worker has a thread for each job next to its tasks. In a shared pool some would wait in vain,
    and Celery closes the pool after every task.
    """
    return {**environment, "DB_POOL": "0"}


def run_here(command: Sequence[str]) -> None:
    """Run one of these commands in this process, with what it has imported already."""
    module, *words = command[len(_PYTHON) :]
    sys.argv[1:] = words
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def run_here_without_pool(command: Sequence[str]) -> None:
    """Do the same in a process that was loaded with the settings of the web server."""
    from django.conf import settings

    settings.DATABASES["default"]["OPTIONS"].pop("pool", None)
    run_here(command)


def _celery(*words: str) -> list[str]:
    return [*_PYTHON, "celery", "-A", "console.celery", "--quiet", *words]
