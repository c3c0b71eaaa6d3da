"""The worker's side: handle one, sweep up what was missed, and let the clock run."""

from kombu.exceptions import OperationalError as BrokerSilent

from console.celery import app
from console.core import schedule
from console.events import outbox

__all__ = ["BrokerSilent", "handle", "sweep", "tick"]


@app.task(name="console.events.tasks.handle")
def handle(*, handling_pk: int, **_later: object) -> None:
    """Do one handling."""
    outbox.handle(handling_pk)


@app.task(name="console.events.tasks.sweep")
def sweep(**_later: object) -> None:
    """Send again whatever is due: a message may be lost, a row is not."""
    for handling_pk in outbox.due():
        outbox.wake(handling_pk)


@app.task(name="console.events.tasks.tick")
def tick(**_later: object) -> None:
    """Let every package do what the passing of time asks for: expire, remind, re-check."""
    schedule.run()
