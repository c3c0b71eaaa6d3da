"""What the passing of time asks for: packages register verbs, beat runs them every minute."""

import logging
from collections.abc import Callable

log = logging.getLogger(__name__)
_jobs: dict[str, Callable[[], object]] = {}


def every_minute(name: str, job: Callable[[], object]) -> None:
    """Ask to be run once a minute. Called from AppConfig.ready(), nowhere else.

    A job must be idempotent: it may run twice at once, or late, or not for an hour.
    """
    if name in _jobs:
        raise ValueError(f"The job {name} is registered twice.")
    _jobs[name] = job


def run() -> None:
    """Run every job; one that fails does not stop the others, and is logged."""
    for name, job in _jobs.items():
        try:
            job()
        except Exception:
            log.exception("job_failed", extra={"job": name})
