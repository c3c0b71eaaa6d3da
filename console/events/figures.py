"""Figures about background work: queue, jobs, e-mail and broker."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

from console.core import clock
from console.events import background_health, outbox
from console.events.models import EventDelivery, JobRun, NightlyRun
from console.observability.figures import MOST, Figure, age, single

_RECENT = timedelta(minutes=5)


def read() -> Iterator[Figure]:
    yield from _queue()
    yield from _email()
    ages = {
        (name,): age(at)
        for model in (JobRun, NightlyRun)
        for name, at in model.objects.exclude(ended_at=None).values_list("name", "ended_at")
    }
    yield Figure("job_age_seconds", "Time since a job last finished.", ages, ("job",))
    last = background_health.last_tick()
    about = "Time since a worker ran the job of every minute: infinite if none ever did."
    yield single("background_tick_age_seconds", about, age(last))
    waiting = background_health.broker_queue()
    yield single("broker_up", "1 if the broker answers.", float(waiting is not None))
    yield single("broker_queue", "Tasks that wait in the broker.", waiting)


def _queue() -> Iterator[Figure]:
    """Read the oldest waiting deliveries."""
    waiting = EventDelivery.objects.waiting().order_by("not_before")
    rows = waiting.values_list("listener", "event__happened_at", "last_error")[:MOST]
    counts, failed = Counter[tuple[str, ...]](), Counter[tuple[str, ...]]()
    oldest: dict[tuple[str, ...], float] = {}
    for listener, at, error in rows:
        counts[listener,] += 1
        failed[listener,] += bool(error)
        oldest[listener,] = max(oldest.get((listener,), 0.0), age(at))
    label = ("listener",)
    yield Figure("queue_waiting", f"Work that waits, up to {MOST} in all.", counts, label)
    yield Figure("queue_failing", "Work that failed and is retried.", failed, label)
    yield Figure("queue_age_seconds", "Age of the oldest waiting work.", oldest, label)


def _email() -> Iterator[Figure]:
    """Read e-mails that wait, and those sent recently, among the newest deliveries."""
    since, mailers = clock.now() - _RECENT, outbox.mailers()
    waiting = EventDelivery.objects.waiting().filter(listener__in=mailers)[:MOST].count()
    yield single("email_waiting", f"E-mails that wait, up to {MOST}.", waiting)
    newest = EventDelivery.objects.order_by("-pk").values_list("listener", "done_at")[:MOST]
    sent = sum(at is not None and at > since and name in mailers for name, at in newest)
    yield single("email_sent_5m", "E-mails sent in the last five minutes.", sent)
