"""The Celery application and the beat schedule.

The broker only wakes workers; the work itself is stored in the database (`console.events`), so a
lost message only delays it by seconds, until the next sweep.
"""

import os
import signal
from typing import Any

import redis
from celery import Celery
from celery.schedules import crontab, schedule
from celery.signals import beat_init, import_modules, setup_logging, worker_init, worker_ready
from kombu.transport.redis import Channel, Transport

from console.core import clock

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")
# Preparation has run Django's checks; here they would cost seconds, and memory of every process.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

app = Celery("console")


class _Channel(Channel):
    """A channel that fails with a connection error once its connection is closed.

    Celery expects that error and reconnects. kombu 5.7 fails with an AttributeError when it
    acknowledges or restores a message then, which ends the worker.
    """

    def _connparams(self, **options: Any) -> Any:
        if self.connection is None or self.connection.client is None:
            raise redis.ConnectionError("The connection of this channel is closed.")
        return super()._connparams(**options)  # type: ignore[misc]  # the stubs lack it


Transport.Channel = _Channel

# Refer to tasks by name, because `console.events.tasks` imports the modules that send them.
HANDLE = "console.events.tasks.handle"
SEND_MAIL = "console.events.tasks.send_mail"
SWEEP = "console.events.tasks.sweep"
RUN_JOB = "console.events.tasks.run_job"

MINUTE = schedule(60.0, nowfun=clock.steady)
_SWEEPING = schedule(3.0, nowfun=clock.steady)
OFTEN = schedule(5.0, nowfun=clock.steady)
# Repeated, so that a job killed in the night runs again.
NIGHT = crontab(minute="10,40", hour="2-5", nowfun=clock.steady)


def configure() -> None:
    """Configure the broker from Django's settings."""
    from django.conf import settings

    app.conf.update(
        broker_url=settings.BROKER_URL,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        # A web request that cannot reach the broker gives up at once; the sweep does the rest.
        broker_transport_options={
            "visibility_timeout": 60,
            "unacked_restore_interval": 2,
            "unacked_restore_throttle": 1,
            "socket_connect_timeout": 1,
            "socket_timeout": 5,
            # One attempt, without the two seconds of sleep before a second one.
            "max_retries": 1,
            "interval_start": 0,
            "interval_step": 0,
            "interval_max": 0,
        },
        task_publish_retry=False,
        task_ignore_result=True,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        timezone="UTC",
        beat_schedule={"sweep-events": {"task": SWEEP, "schedule": _SWEEPING}},
        imports=("console.events.tasks",),
    )


configure()


def entries() -> dict[str, dict[str, Any]]:
    """Return one beat entry for each registered job, so that no job waits for another.

    A message that is not consumed in time expires, because the next one asks for the same. The
    time is long, because the worker's clock may be ahead.
    """
    from console.core import schedule as registered

    return {
        job.name: {
            "task": RUN_JOB,
            "kwargs": {"name": job.name, "scheduled": True},
            "schedule": OFTEN if job.often else NIGHT if job.nightly else MINUTE,
            "options": {"expires": 1500 if job.nightly else 600},
        }
        for job in registered.jobs()
    }


@import_modules.connect
def _schedule_jobs(**_: Any) -> None:
    """Add the jobs once Django's apps are ready, which Celery's own receiver ensures first."""
    app.conf.beat_schedule |= entries()


@beat_init.connect
def _forget_the_future(sender: Any, **_: Any) -> None:
    """Let no job wait for a time that was stored while the clock was ahead."""
    for entry in sender.scheduler.schedule.values():
        entry.last_run_at = min(entry.last_run_at, clock.steady())


@worker_ready.connect
def _run_minute_jobs(**_: Any) -> None:
    """Run all minute jobs at start-up, so nothing stays stale after time without workers."""
    for entry in entries().values():
        if entry["schedule"] == MINUTE:
            app.send_task(entry["task"], kwargs=entry["kwargs"], **entry["options"])


@setup_logging.connect
def _log_as_the_web_does(**_: Any) -> None:
    """Keep Django's logging, instead of the one that Celery would install."""


@worker_init.connect
def _obey_signals(**_: Any) -> None:
    """Restore SIGINT handling, because processes started in the background ignore it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
