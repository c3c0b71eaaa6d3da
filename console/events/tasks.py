"""The worker's side: handle one, sweep up what was missed, and do what the time asks for."""

import logging
import zlib
from threading import Thread

from django.db import connection
from kombu.exceptions import OperationalError as BrokerSilent

from console.celery import app
from console.core import schedule
from console.events import claims, outbox

__all__ = ["BrokerSilent", "handle", "run_job", "sweep"]

log = logging.getLogger(__name__)


@app.task(name="console.events.tasks.handle")
def handle(*, delivery_pk: int, **_later: object) -> None:
    """Do one delivery."""
    outbox.handle(delivery_pk)


@app.task(name="console.events.tasks.sweep")
def sweep(**_later: object) -> None:
    """Send again whatever is due: a message may be lost, a row is not."""
    for delivery_pk in outbox.due():
        outbox.wake(delivery_pk)


@app.task(name="console.events.tasks.run_job")
def run_job(*, name: str, **_later: object) -> None:
    """Do one thing that the passing of time asks for.

    What is done at night may take long, and all of it begins at once: each has a thread of its own
    beside this process's tasks, so that neither mail nor another job waits for it.
    """
    job = schedule.named(name)
    if job.nightly:
        Thread(target=_run_beside, args=(job,), name=name, daemon=True).start()
    else:
        _run(job)


def _run(job: schedule.Job) -> None:
    """Do it, unless another worker is still at it."""
    with claims.claim(claims.JOB, zlib.crc32(job.name.encode())) as claimed:
        if not claimed:
            return
        try:
            job.run()
        except Exception:
            log.exception("job_failed", extra={"job": job.name})


def _run_beside(job: schedule.Job) -> None:
    try:
        _run(job)
    finally:
        connection.close()  # the thread's own
