"""publish(), subscribe(), within(): news written with the change, and done after commit.

E-mail is sent one at a time in the whole installation (`subscribe_mail`): a mail server that is
slow or silent then holds one process of the workers, and packs are rendered and sealed meanwhile.
"""

import logging
from collections import defaultdict
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from kombu.exceptions import OperationalError as BrokerSilent

from console.celery import HANDLE, SEND_MAIL, app
from console.core import clock, logs
from console.core.ids import HasPublicId
from console.events import work_claims
from console.events.models import Event, EventDelivery

log = logging.getLogger(__name__)

Listener = Callable[[Event], None]
_listeners: dict[str, dict[str, Listener]] = defaultdict(dict)
# The names of the listeners that send e-mail.
_mailers: set[str] = set()
_hooks: dict[str, list[Listener]] = defaultdict(list)
# Told of every event, with the row that it is about.
Watcher = Callable[[Event, HasPublicId], None]
_watchers: list[Watcher] = []

# Seconds until the next try after the first, second, ... failure; the last one repeats.
RETRY_AFTER = (1, 2, 5, 10, 30, 60)
# Deliveries that are looked at together.
_AT_ONCE = 500


def subscribe(kind: str, name: str, listener: Listener) -> None:
    """Ask to be told, in a worker, after commit. Called from AppConfig.ready(), nowhere else.

    The listener hears each event at least once and may be killed anywhere, so it must be
    idempotent. `name` is stored; renaming it means that old events wait for nobody.
    """
    if name in _listeners[kind]:
        raise ValueError(f"{name} already listens to {kind}.")
    _listeners[kind][name] = listener


def subscribe_mail(kind: str, name: str, listener: Listener) -> None:
    """Ask to be told as `subscribe` does, for a listener that sends e-mail: one at a time."""
    subscribe(kind, name, listener)
    _mailers.add(name)


def within(kind: str, hook: Listener) -> None:
    """Ask to be told inside the transaction, before it goes on.

    The hook reads and writes the database alone. What it locks stands below what the change has
    locked: business, application or pack, grant, key.
    """
    _hooks[kind].append(hook)


def within_every(watcher: Watcher) -> None:
    """Ask to be told of every event inside its transaction. The watcher may only insert rows."""
    _watchers.append(watcher)


def publish(kind: str, subject: HasPublicId, **payload: Any) -> Event:
    """Write the event and one delivery per listener with the change; wake workers after commit."""
    assert transaction.get_connection().in_atomic_block, f"{kind} outside a transaction"
    now = clock.now()
    event = Event.objects.create(
        kind=kind, subject_id=subject.public_id, payload=payload, happened_at=now
    )
    deliveries = EventDelivery.objects.bulk_create(
        EventDelivery(event=event, listener=name, not_before=now) for name in _listeners[kind]
    )
    for hook in _hooks[kind]:
        hook(event)
    for watcher in _watchers:
        watcher(event, subject)
    for delivery in deliveries:
        transaction.on_commit(partial(_wake, delivery.listener, delivery.pk), robust=True)
    return event


def was_published(kind: str, subject: HasPublicId, *, since: datetime) -> bool:
    """Tell whether an event of that kind about that subject was published since then."""
    about = Event.objects.filter(subject_id=subject.public_id, happened_at__gte=since)
    return about.filter(kind=kind).exists()


def wake_due() -> None:
    """Wake workers again for whatever is due, and one for all e-mail that is."""
    others = _due().exclude(listener__in=_mailers)
    for listener, delivery_pk in others.values_list("listener", "pk")[:_AT_ONCE]:
        _wake(listener, delivery_pk)
    if (mail := _next_mail()) is not None:
        _wake(mail.listener, mail.pk)


def _wake(listener: str, delivery_pk: int) -> None:
    """Tell the broker. When it does not answer, the sweep finds the row, so it is only noted."""
    try:
        if listener in _mailers:
            app.send_task(SEND_MAIL)
        else:
            app.send_task(HANDLE, kwargs={"delivery_pk": delivery_pk})
    except BrokerSilent as silent:
        log.warning("broker_silent", extra={"delivery": delivery_pk, "why": str(silent)})


def send_mail() -> None:
    """Do one delivery that sends e-mail, unless another is under way; then wake one for the next.

    Each is a task of its own, so that what else waits for a worker has its turn between two.
    """
    with work_claims.claim(work_claims.MAIL, 0) as claimed:
        if not claimed or (mail := _next_mail()) is None:
            return
        handle(mail.pk)
    # Asked after the claim has ended: who was woken meanwhile found it taken, and left.
    following = _next_mail()
    if following is not None and following.pk != mail.pk:
        _wake(following.listener, following.pk)


def handle(delivery_pk: int) -> bool:
    """Do one delivery, unless it is done, not due, or in another worker's hands.

    Returns whether it was done here. A failure is noted on the row and tried again later.
    """
    with work_claims.claim(work_claims.DELIVERY, delivery_pk) as claimed:
        if not claimed:
            return False
        delivery = EventDelivery.objects.select_related("event").filter(pk=delivery_pk).first()
        if delivery is None or delivery.done_at or delivery.not_before > clock.now():
            return False
        EventDelivery.objects.filter(pk=delivery_pk).update(attempts=delivery.attempts + 1)
        return _do(delivery)


def due() -> list[int]:
    """Return the deliveries that wait and may be tried now, oldest first."""
    return list(_due().values_list("pk", flat=True)[:_AT_ONCE])


def settle() -> None:
    """Do everything that is due, and what follows from it, here and now (tests, the demo world)."""
    while sum(handle(pk) for pk in due()):
        pass


def remove_handled(before: datetime, most: int) -> int:
    """Remove events of before a moment about which nothing waits, so many at most.

    The outbox is a queue and no history: what happened stands in the audit log.
    """
    waiting = EventDelivery.objects.waiting().filter(event=OuterRef("pk"))
    old = Event.objects.filter(~Exists(waiting), happened_at__lt=before).order_by("pk")
    events = list(old.values_list("pk", flat=True)[:most])
    EventDelivery.objects.filter(event__in=events).delete()
    Event.objects.filter(pk__in=events).delete()
    return len(events)


def _due() -> QuerySet[EventDelivery]:
    waiting = EventDelivery.objects.waiting().filter(not_before__lte=clock.now())
    return waiting.order_by("not_before", "pk")


def _next_mail() -> EventDelivery | None:
    """Return what sends e-mail and is due, what was tried least first.

    So one that fails, or ends its worker, holds up no other.
    """
    rows = _due().filter(listener__in=_mailers)
    return rows.order_by("attempts", "not_before", "pk").first()


def _do(delivery: EventDelivery) -> bool:
    listener = _listeners[delivery.event.kind].get(delivery.listener)
    try:
        if listener is None:
            raise LookupError(f"Nobody is called {delivery.listener} any more.")
        listener(delivery.event)
    except Exception as failure:  # noqa: BLE001  # any failure is kept on the row and tried again
        _postpone(delivery, failure)
        return False
    EventDelivery.objects.filter(pk=delivery.pk).update(done_at=clock.now(), last_error="")
    return True


def _postpone(delivery: EventDelivery, failure: Exception) -> None:
    wait = RETRY_AFTER[min(delivery.attempts, len(RETRY_AFTER) - 1)]
    log.error("handling_failed", extra={"listener": delivery.listener}, exc_info=failure)
    EventDelivery.objects.filter(pk=delivery.pk).update(
        not_before=clock.now() + timedelta(seconds=wait),
        # A mail server may quote the link that it refuses.
        last_error=logs.without_paths(f"{type(failure).__name__}: {failure}")[:2000],
    )
