"""Registry of scheduled jobs, each with a Celery beat entry of its own."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True)
class Job:
    """A recurring job: runs every minute, nightly, or every 5 seconds (`often`).

    `knows_when_done`: a nightly job that itself determines whether it is done for the day.
    """

    name: str
    run: Callable[[], object]
    nightly: bool
    often: bool = False
    knows_when_done: bool = False

    @property
    def period(self) -> timedelta:
        """Return the time between two ticks of the scheduler."""
        minutes = 30 if self.nightly else 1
        return timedelta(seconds=5) if self.often else timedelta(minutes=minutes)


_jobs: dict[str, Job] = {}


def every_minute(name: str, job: Callable[[], object]) -> None:
    """Register a job to run once a minute. Called from AppConfig.ready(), nowhere else.

    The job must be idempotent. It may run late, or not for an hour, but never twice at once.
    """
    _register(Job(name, job, nightly=False))


def every_five_seconds(name: str, job: Callable[[], object]) -> None:
    """Register a job to run every five seconds. Called from AppConfig.ready(), nowhere else.

    Only for short, urgent work.
    """
    _register(Job(name, job, nightly=False, often=True))


def every_night(name: str, job: Callable[[], object], *, knows_when_done: bool = False) -> None:
    """Register a job to run every night. Called from AppConfig.ready(), nowhere else.

    It is started every half hour between two and six until it has finished once that day (UTC), so
    a lost message or a killed worker does not skip a night. A killed job starts again from the
    beginning, so a job that must not repeat work has to record its progress.
    """
    _register(Job(name, job, nightly=True, knows_when_done=knows_when_done))


def jobs() -> Iterator[Job]:
    """Return every job, sorted by name."""
    return iter(sorted(_jobs.values(), key=lambda job: job.name))


def named(name: str) -> Job:
    """Return the job of that name, or raise KeyError."""
    return _jobs[name]


def _register(job: Job) -> None:
    if job.name in _jobs:
        raise ValueError(f"The job {job.name} is registered twice.")
    _jobs[job.name] = job
