"""The transactional outbox: publish(), subscribe() and within().

E-mails are sent one at a time in the whole installation (`subscribe_mail`), so a slow mail server
occupies only one worker process, and rendering and sealing continue.
"""

import logging
from collections import defaultdict
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Now
from kombu.exceptions import OperationalError as BrokerSilent

from console.celery import HANDLE, SEND_MAIL, app
from console.core import clock, handled_event, logs
from console.core.ids import HasPublicId
from console.events import work_claims
from console.events.models import Event, EventDelivery

log = logging.getLogger(__name__)

Listener = Callable[[Event], None]
_listeners: dict[str, dict[str, Listener]] = defaultdict(dict)
# Names of the listeners that send e-mail.
_mailers: set[str] = set()
_hooks: dict[str, list[Listener]] = defaultdict(list)
# Called with every event and the row it is about.
Watcher = Callable[[Event, HasPublicId], None]
_watchers: list[Watcher] = []

# Seconds until the next attempt after the first, second, ... failure; the last one repeats.
RETRY_AFTER = (1, 2, 5, 10, 30, 60)
# Maximum number of deliveries in one query.
_AT_ONCE = 500


def subscribe(kind: str, name: str, listener: Listener) -> None:
    """Call the listener in a worker, after commit. Used in AppConfig.ready(), nowhere else.

    The listener gets each event at least once and may be killed at any point, so it must be
    idempotent. `name` is stored with the deliveries; after a rename, pending ones fail.
    """
    if name in _listeners[kind]:
        raise ValueError(f"{name} already listens to {kind}.")
    _listeners[kind][name] = listener


def subscribe_mail(kind: str, name: str, listener: Listener) -> None:
    """Subscribe a listener that sends e-mail, which runs one at a time."""
    subscribe(kind, name, listener)
    _mailers.add(name)


def mailers() -> frozenset[str]:
    """Return the names of the listeners that send e-mail."""
    return frozenset(_mailers)


def within(kind: str, hook: Listener) -> None:
    """Call the hook inside the publishing transaction.

    The hook may only use the database. It must lock in the same order as all code, after what the
    change has locked: application, pack, business, grant, key.
    """
    _hooks[kind].append(hook)


def within_every(watcher: Watcher) -> None:
    """Call the watcher inside the transaction of every event. It may only insert rows."""
    _watchers.append(watcher)


def publish(kind: str, subject: HasPublicId, **payload: Any) -> Event:
    """Write the event and a delivery for each listener, and wake workers after commit."""
    assert transaction.get_connection().in_atomic_block, f"{kind} outside a transaction"
    event = Event.objects.create(
        kind=kind, subject_id=subject.public_id, payload=payload, happened_at=clock.now()
    )
    deliveries = EventDelivery.objects.bulk_create(
        EventDelivery(event=event, listener=name, not_before=Now()) for name in _listeners[kind]
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
    """Wake workers for all due deliveries, and one worker for all due e-mails."""
    others = _due().exclude(listener__in=_mailers)
    for listener, delivery_pk in others.values_list("listener", "pk")[:_AT_ONCE]:
        _wake(listener, delivery_pk)
    if (mail := _next_mail()) is not None:
        _wake(mail.listener, mail.pk)


def _wake(listener: str, delivery_pk: int) -> None:
    """Send a task to the broker. If it fails, only log it, because the sweep will find the row."""
    try:
        if listener in _mailers:
            app.send_task(SEND_MAIL)
        else:
            app.send_task(HANDLE, kwargs={"delivery_pk": delivery_pk})
    except BrokerSilent as silent:
        log.warning("broker_silent", extra={"delivery": delivery_pk, "why": str(silent)})


def send_mail() -> None:
    """Handle one due e-mail, unless one is being sent, and wake a worker for the next.

    Each e-mail is a task of its own, so other tasks get their turn in between.
    """
    with work_claims.claim(work_claims.MAIL, 0) as claimed:
        if not claimed or (mail := _next_mail()) is None:
            return
        handle(mail.pk)
    # Check after releasing the claim, because tasks started meanwhile found it taken and ended.
    following = _next_mail()
    if following is not None and following.pk != mail.pk:
        _wake(following.listener, following.pk)


def handle(delivery_pk: int) -> bool:
    """Handle one delivery, unless it is done, not due, or claimed by another worker.

    Return whether it was done here. A failure is stored on the row and retried later.
    """
    with work_claims.claim(work_claims.DELIVERY, delivery_pk) as claimed:
        if not claimed:
            return False
        delivery = _due().select_related("event").filter(pk=delivery_pk).first()
        if delivery is None:
            return False
        EventDelivery.objects.filter(pk=delivery_pk).update(attempts=delivery.attempts + 1)
        return _do(delivery)


def due() -> list[int]:
    """Return the due deliveries, oldest first."""
    return list(_due().values_list("pk", flat=True)[:_AT_ONCE])


def settle() -> None:
    """Handle everything that is due and all resulting events at once (tests, demo data)."""
    while sum(handle(pk) for pk in due()):
        pass


def remove_handled(before: datetime, most: int) -> int:
    """Delete events older than `before` that have no pending deliveries, at most `most` of them.

    The outbox is a queue, not a history: the audit log records what happened.
    """
    waiting = EventDelivery.objects.waiting().filter(event=OuterRef("pk"))
    old = Event.objects.filter(~Exists(waiting), happened_at__lt=before).order_by("pk")
    events = list(old.values_list("pk", flat=True)[:most])
    EventDelivery.objects.filter(event__in=events).delete()
    Event.objects.filter(pk__in=events).delete()
    return len(events)


def _due() -> QuerySet[EventDelivery]:
    """Return what is due by the database's clock, since those of the hosts may differ."""
    waiting = EventDelivery.objects.waiting().filter(not_before__lte=Now())
    return waiting.order_by("not_before", "pk")


def _next_mail() -> EventDelivery | None:
    """Return the due e-mail with the fewest attempts.

    This way, an e-mail that fails, or kills its worker, does not block the others.
    """
    rows = _due().filter(listener__in=_mailers)
    return rows.order_by("attempts", "not_before", "pk").first()


def _do(delivery: EventDelivery) -> bool:
    listener = _listeners[delivery.event.kind].get(delivery.listener)
    try:
        if listener is None:
            raise LookupError(f"Nobody is called {delivery.listener} any more.")
        _call(listener, delivery)
    except Exception as failure:  # noqa: BLE001  # store any failure on the row, to retry later
        _postpone(delivery, failure)
        return False
    EventDelivery.objects.filter(pk=delivery.pk).update(done_at=clock.now(), last_error="")
    return True


def _call(listener: Listener, delivery: EventDelivery) -> None:
    token = handled_event.NAME.set(f"{delivery.event.public_id} {delivery.listener}")
    try:
        listener(delivery.event)
    finally:
        handled_event.NAME.reset(token)


def _postpone(delivery: EventDelivery, failure: Exception) -> None:
    wait = RETRY_AFTER[min(delivery.attempts, len(RETRY_AFTER) - 1)]
    log.error("handling_failed", extra={"listener": delivery.listener}, exc_info=failure)
    EventDelivery.objects.filter(pk=delivery.pk).update(
        not_before=Now() + timedelta(seconds=wait),
        # The error of a mail server may quote a link.
        last_error=logs.without_paths(f"{type(failure).__name__}: {failure}")[:2000],
    )
