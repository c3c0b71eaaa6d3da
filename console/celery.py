"""The Celery application and the beat schedule.

The broker only wakes workers: what must be done stands in the database (`console.events`), so a
lost message costs the seconds until the next sweep and nothing else.
"""

import os
import signal
from typing import Any

from celery import Celery
from celery.schedules import crontab
from celery.signals import import_modules, setup_logging, worker_init, worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

app = Celery("console")

# The tasks of `console.events` by name, because they import the modules that send them.
HANDLE = "console.events.tasks.handle"
SEND_MAIL = "console.events.tasks.send_mail"
SWEEP = "console.events.tasks.sweep"
RUN_JOB = "console.events.tasks.run_job"

MINUTE = 60.0
OFTEN = 5.0
# Again and again: who is killed amid a night's job has it made up for.
NIGHT = crontab(minute="10,40", hour="2-5")


def configure() -> None:
    """Read the broker from Django's settings, so that one file knows every value."""
    from django.conf import settings

    app.conf.update(
        broker_url=settings.BROKER_URL,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        # A web request that finds no broker gives up at once; the sweep does the rest.
        broker_transport_options={
            "visibility_timeout": 60,
            "unacked_restore_interval": 2,
            "unacked_restore_throttle": 1,
            "socket_connect_timeout": 1,
            "socket_timeout": 5,
            # One try, without the two seconds of sleep that come before a second one.
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
        beat_schedule={"sweep-events": {"task": SWEEP, "schedule": 3.0}},
        imports=("console.events.tasks",),
    )


configure()


def entries() -> dict[str, dict[str, Any]]:
    """Return a beat entry for each job that packages registered, so that none waits for another.

    A wake-up that nobody took in time is thrown away: the next one asks for the same.
    """
    from console.core import schedule

    return {
        job.name: {
            "task": RUN_JOB,
            "kwargs": {"name": job.name},
            "schedule": OFTEN if job.often else NIGHT if job.nightly else MINUTE,
            "options": {"expires": 4 if job.often else 1500 if job.nightly else 50},
        }
        for job in schedule.jobs()
    }


@import_modules.connect
def _schedule_jobs(**_: Any) -> None:
    """Add the jobs once Django's apps are ready: Celery's own receiver has just seen to that."""
    app.conf.beat_schedule |= entries()


@worker_ready.connect
def _run_minute_jobs(**_: Any) -> None:
    """Do at once what is done every minute: after a while without workers, nothing is fresh."""
    for entry in entries().values():
        if entry["schedule"] == MINUTE:
            app.send_task(entry["task"], kwargs=entry["kwargs"], **entry["options"])


@setup_logging.connect
def _log_as_the_web_does(**_: Any) -> None:
    """Keep Django's logging; Celery would otherwise install its own."""


@worker_init.connect
def _obey_signals(**_: Any) -> None:
    """Undo an ignored SIGINT, which a background start inherits."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
