"""publish(), subscribe(), within(): news written with the change, and done after commit."""

import logging
from collections import defaultdict
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import transaction

from console.core import clock
from console.core.ids import HasPublicId
from console.events import claims
from console.events.models import Event, EventDelivery

log = logging.getLogger(__name__)

Listener = Callable[[Event], None]
_listeners: dict[str, dict[str, Listener]] = defaultdict(dict)
_hooks: dict[str, list[Listener]] = defaultdict(list)

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
    """Ask to be told inside the transaction. The hook may only insert rows."""
    _hooks[kind].append(hook)


def publish(kind: str, subject: HasPublicId, **payload: Any) -> Event:
    """Write the event and one handling per listener with the change; wake workers after commit."""
    assert transaction.get_connection().in_atomic_block, f"{kind} outside a transaction"
    now = clock.now()
    event = Event.objects.create(
        kind=kind, subject_id=subject.public_id, payload=payload, happened_at=now
    )
    handlings = EventDelivery.objects.bulk_create(
        EventDelivery(event=event, listener=name, not_before=now) for name in _listeners[kind]
    )
    for hook in _hooks[kind]:
        hook(event)
    for handling in handlings:
        transaction.on_commit(partial(wake, handling.pk), robust=True)
    return event


def wake(handling_pk: int) -> None:
    """Tell the broker. When it does not answer, the sweep finds the row, so it is only noted."""
    from console.events import tasks

    try:
        tasks.handle.delay(handling_pk=handling_pk)
    except tasks.BrokerSilent as silent:
        log.warning("broker_silent", extra={"handling": handling_pk, "why": str(silent)})


def handle(handling_pk: int) -> bool:
    """Do one handling, unless it is done, not due, or in another worker's hands.

    Returns whether it was done here. A failure is noted on the row and tried again later.
    """
    with claims.claim(claims.HANDLING, handling_pk) as claimed:
        if not claimed:
            return False
        handling = EventDelivery.objects.select_related("event").filter(pk=handling_pk).first()
        if handling is None or handling.done_at or handling.not_before > clock.now():
            return False
        EventDelivery.objects.filter(pk=handling_pk).update(attempts=handling.attempts + 1)
        return _do(handling)


def due() -> list[int]:
    """Return the handlings that wait and may be tried now, oldest first."""
    waiting = EventDelivery.objects.waiting().filter(not_before__lte=clock.now())
    return list(waiting.order_by("not_before", "pk").values_list("pk", flat=True)[:500])


def settle() -> None:
    """Do everything that is due, and what follows from it, here and now (tests, the demo world)."""
    while sum(handle(pk) for pk in due()):
        pass


def listeners_of(kind: str) -> frozenset[str]:
    return frozenset(_listeners[kind])


def _do(handling: EventDelivery) -> bool:
    listener = _listeners[handling.event.kind].get(handling.listener)
    try:
        if listener is None:
            raise LookupError(f"Nobody is called {handling.listener} any more.")
        listener(handling.event)
    except Exception as failure:  # noqa: BLE001  # any failure is kept on the row and tried again
        _postpone(handling, failure)
        return False
    EventDelivery.objects.filter(pk=handling.pk).update(done_at=clock.now(), last_error="")
    return True


def _postpone(handling: EventDelivery, failure: Exception) -> None:
    wait = RETRY_AFTER[min(handling.attempts, len(RETRY_AFTER) - 1)]
    log.error("handling_failed", extra={"listener": handling.listener}, exc_info=failure)
    EventDelivery.objects.filter(pk=handling.pk).update(
        not_before=clock.now() + timedelta(seconds=wait),
        last_error=f"{type(failure).__name__}: {failure}"[:2000],
    )
