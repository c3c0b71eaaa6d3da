"""The command lines of our own programs: web, worker, beat. Each dies with the process above it."""

import sys
from pathlib import Path

WEB_THREADS = 4


def web(port: int, *, workers: int = 2) -> list[str]:
    """Return the words that serve the console and the API's door on loopback."""
    return _ours(
        *("-m", "granian", "--interface", "wsgi", "--http", "1", "--no-ws"),
        *("--host", "127.0.0.1", "--port", str(port), "--workers", str(workers)),
        *("--blocking-threads", str(WEB_THREADS), "--respawn-failed-workers"),
        *("--workers-kill-timeout", "5", "console.wsgi:application"),
    )


def worker(*, processes: int = 2) -> list[str]:
    """Return the words that do the work in the background."""
    return _celery(
        *("worker", "--concurrency", str(processes), "--loglevel", "INFO"),
        *("--without-mingle", "--without-gossip"),
    )


def beat(schedule: Path) -> list[str]:
    """Return the words that wake the sweep and the clock; the file holds what ran when."""
    return _celery("beat", "--pidfile=", "--schedule", str(schedule), "--loglevel", "WARNING")


def _celery(*words: str) -> list[str]:
    return _ours("-m", "celery", "-A", "console.celery", "--quiet", *words)


def _ours(*words: str) -> list[str]:
    return ["setpriv", "--pdeathsig", "TERM", "--", sys.executable, *words]
