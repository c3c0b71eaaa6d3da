"""The command lines of our own programs. Each dies with the process above it."""

import sys
from collections.abc import Mapping
from pathlib import Path

# Connections that a web process keeps; the settings keep more where more threads may ask.
WEB_POOL = 10
# A request that runs is finished within this time when the server is told to stop.
STOP_SECONDS = 15


def web() -> list[str]:
    """Return the words that serve the console and the API on loopback, as gunicorn.conf.py says."""
    return _ours("-m", "gunicorn")


def worker(*, processes: int = 2) -> list[str]:
    """Return the words that do the work in the background."""
    return _celery(
        *("worker", "--concurrency", str(processes), "--loglevel", "INFO"),
        *("--without-mingle", "--without-gossip"),
    )


def deliver() -> list[str]:
    """Return the words that send webhooks."""
    return _ours("manage.py", "deliver")


def beat(schedule: Path) -> list[str]:
    """Return the words that wake the sweep and the clock; the file holds what ran when."""
    return _celery("beat", "--pidfile=", "--schedule", str(schedule), "--loglevel", "WARNING")


def without_pool(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the settings of a part whose threads come and go, each with its own connection.

    A worker has a thread for each job beside its tasks: one pool would let some wait in vain, and
    after every task Celery closes it.
    """
    return {**environment, "DB_POOL": "0"}


def _celery(*words: str) -> list[str]:
    return _ours("-m", "celery", "-A", "console.celery", "--quiet", *words)


def _ours(*words: str) -> list[str]:
    return ["setpriv", "--pdeathsig", "TERM", "--", sys.executable, *words]
