"""Celery tasks: handle a delivery, send an e-mail, sweep for missed work, run a scheduled job."""

from threading import Thread

from django.db import connection

from console.celery import HANDLE, RUN_JOB, SEND_MAIL, SWEEP, app
from console.core import schedule
from console.events import jobs, outbox

# Seconds that a task waits for its job.
_MOMENT = 0.5


@app.task(name=HANDLE)
def handle(*, delivery_pk: int, **_later: object) -> None:
    """Handle one delivery."""
    outbox.handle(delivery_pk)


@app.task(name=SEND_MAIL)
def send_mail(**_later: object) -> None:
    """Send the next due e-mail, unless a worker is sending one."""
    outbox.send_mail()


@app.task(name=SWEEP)
def sweep(**_later: object) -> None:
    """Queue all due deliveries again, because broker messages can be lost."""
    outbox.wake_due()


@app.task(name=RUN_JOB)
def run_job(*, name: str, scheduled: bool = False, **_later: object) -> None:
    """Run one job: because its time has come, or because somebody woke it.

    Jobs can take long, and many start at once. Each runs in a thread of its own next to this
    process's tasks, so neither e-mails nor other jobs have to wait.
    """
    job = schedule.named(name)
    beside = Thread(
        target=_run_beside, args=(job,), kwargs={"scheduled": scheduled}, name=name, daemon=True
    )
    beside.start()
    # Most jobs end within this time. Waiting limits how many hold a database connection at once.
    beside.join(_MOMENT)


def _run_beside(job: schedule.Job, *, scheduled: bool) -> None:
    try:
        jobs.run(job, scheduled=scheduled)
    finally:
        connection.close()  # the thread's own
