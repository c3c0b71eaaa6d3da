"""What the passing of time asks for: packages register jobs, and beat wakes each one by itself."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Job:
    """One thing to do again and again: every minute, or every night, or `often` every 5 seconds.

    `knows_when_done` says that a nightly job finds out by itself whether it is done for the day.
    """

    name: str
    run: Callable[[], object]
    nightly: bool
    often: bool = False
    knows_when_done: bool = False


_jobs: dict[str, Job] = {}


def every_minute(name: str, job: Callable[[], object]) -> None:
    """Ask to be run once a minute. Called from AppConfig.ready(), nowhere else.

    A job must be idempotent: it may run late, or not for an hour. It never runs twice at once.
    """
    _register(Job(name, job, nightly=False))


def every_five_seconds(name: str, job: Callable[[], object]) -> None:
    """Ask to be run every five seconds. Called from AppConfig.ready(), nowhere else.

    Only for what somebody must learn within seconds, and what costs one query.
    """
    _register(Job(name, job, nightly=False, often=True))


def every_night(name: str, job: Callable[[], object], *, knows_when_done: bool = False) -> None:
    """Ask to be run every night. Called from AppConfig.ready(), nowhere else.

    It is woken every half hour between two and six until it has ended once that day (UTC), so that
    neither a lost message nor a killed worker loses a night. What was killed begins anew, so a job
    whose second run would do harm remembers how far it came.
    """
    _register(Job(name, job, nightly=True, knows_when_done=knows_when_done))


def jobs() -> Iterator[Job]:
    """Return every job, in the order of their names."""
    return iter(sorted(_jobs.values(), key=lambda job: job.name))


def named(name: str) -> Job:
    """Return the job of that name; KeyError where nobody registered it."""
    return _jobs[name]


def _register(job: Job) -> None:
    if job.name in _jobs:
        raise ValueError(f"The job {job.name} is registered twice.")
    _jobs[job.name] = job
