"""publish(), subscribe(), within(): news written with the change, and done after commit."""

import logging
from collections import defaultdict
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef

from console.core import clock, logs
from console.core.ids import HasPublicId
from console.events import claims
from console.events.models import Event, EventDelivery

log = logging.getLogger(__name__)

Listener = Callable[[Event], None]
_listeners: dict[str, dict[str, Listener]] = defaultdict(dict)
_hooks: dict[str, list[Listener]] = defaultdict(list)
# Told of every event, with the row that it is about.
Watcher = Callable[[Event, HasPublicId], None]
_watchers: list[Watcher] = []

# Seconds until the next try after the first, second, ... failure; the last one repeats.
RETRY_AFTER = (1, 2, 5, 10, 30, 60)


def subscribe(kind: str, name: str, listener: Listener) -> None:
    """Ask to be told, in a worker, after commit. Called from AppConfig.ready(), nowhere else.

    The listener hears each event at least once and may be killed anywhere, so it must be
    idempotent. `name` is stored; renaming it means that old events wait for nobody.
    """
    if name in _listeners[kind]:
        raise ValueError(f"{name} already listens to {kind}.")
    _listeners[kind][name] = listener


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
        transaction.on_commit(partial(wake, delivery.pk), robust=True)
    return event


def wake(delivery_pk: int) -> None:
    """Tell the broker. When it does not answer, the sweep finds the row, so it is only noted."""
    from console.events import tasks

    try:
        tasks.handle.delay(delivery_pk=delivery_pk)
    except tasks.BrokerSilent as silent:
        log.warning("broker_silent", extra={"delivery": delivery_pk, "why": str(silent)})


def handle(delivery_pk: int) -> bool:
    """Do one delivery, unless it is done, not due, or in another worker's hands.

    Returns whether it was done here. A failure is noted on the row and tried again later.
    """
    with claims.claim(claims.DELIVERY, delivery_pk) as claimed:
        if not claimed:
            return False
        delivery = EventDelivery.objects.select_related("event").filter(pk=delivery_pk).first()
        if delivery is None or delivery.done_at or delivery.not_before > clock.now():
            return False
        EventDelivery.objects.filter(pk=delivery_pk).update(attempts=delivery.attempts + 1)
        return _do(delivery)


def due() -> list[int]:
    """Return the deliveries that wait and may be tried now, oldest first."""
    waiting = EventDelivery.objects.waiting().filter(not_before__lte=clock.now())
    return list(waiting.order_by("not_before", "pk").values_list("pk", flat=True)[:500])


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
