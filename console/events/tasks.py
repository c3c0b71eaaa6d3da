"""The worker's side: handle one, send one, sweep up what was missed, do what the time asks for."""

from threading import Thread

from django.db import connection

from console.celery import HANDLE, RUN_JOB, SEND_MAIL, SWEEP, app
from console.core import schedule
from console.events import jobs, outbox

# Seconds for which a task waits for its job.
_MOMENT = 0.5


@app.task(name=HANDLE)
def handle(*, delivery_pk: int, **_later: object) -> None:
    """Do one delivery."""
    outbox.handle(delivery_pk)


@app.task(name=SEND_MAIL)
def send_mail(**_later: object) -> None:
    """Send the e-mail that is due, unless a worker is at one."""
    outbox.send_mail()


@app.task(name=SWEEP)
def sweep(**_later: object) -> None:
    """Send again whatever is due: a message may be lost, a row is not."""
    outbox.wake_due()


@app.task(name=RUN_JOB)
def run_job(*, name: str, **_later: object) -> None:
    """Do one thing that the passing of time asks for.

    Any of them may take long, and all begin at once: each has a thread of its own beside this
    process's tasks, so that neither mail nor another job waits for it.
    """
    job = schedule.named(name)
    beside = Thread(target=_run_beside, args=(job,), name=name, daemon=True)
    beside.start()
    # Most end at once: the next begins after them, so that not all hold a connection together.
    beside.join(_MOMENT)


def _run_beside(job: schedule.Job) -> None:
    try:
        jobs.run(job)
    finally:
        connection.close()  # the thread's own
