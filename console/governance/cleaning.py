"""Every night: what has ended is removed, so that strangers cannot fill the tables for ever."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count

from console.accounts.actors import Actor
from console.accounts.models import Session, StoppedMail, Throttle, User
from console.audit import failed_requests, history
from console.audit import log as audit
from console.core import clock

SENTENCES = {"work.cleaned": "What has ended was removed"}
# Whoever has not confirmed their address by then may sign up again.
UNCONFIRMED = timedelta(days=7)
COUNTED = timedelta(days=30)
UNWANTED = timedelta(days=7)
_AT_ONCE = 10_000


class _Tables:
    """What the entry about a night is about."""

    public_id = "ended"


@transaction.atomic
def clean(*, by: Actor) -> None:
    """Remove ended sessions, old counts of visitors, and people who never confirmed."""
    now = clock.now()
    sessions, _ = Session.objects.filter(expire_date__lte=now).delete()
    found: dict[str, Any] = {
        "sessions": sessions,
        "attempts": failed_requests.remove(now - COUNTED),
        "people": _remove_unconfirmed(),
    }
    if any(found.values()) or last() is None:
        audit.record("work.cleaned", _Tables(), by=by, **found)


def _remove_unconfirmed() -> int:
    """Remove people who signed up a week ago and never said that the address is theirs."""
    rows = User.objects.select_for_update(no_key=True, of=("self",), skip_locked=True)
    joined = clock.now() - UNCONFIRMED
    old = rows.filter(email_confirmed_at=None, joined_at__lte=joined, membership__isnull=True)
    people = [person.pk for person in old.order_by("pk")[:_AT_ONCE]]
    User.objects.filter(pk__in=people).delete()
    return len(people)


def last() -> datetime | None:
    """Return when a night last removed something."""
    return history.last("work.cleaned")


def concerns() -> list[str]:
    """Return from which businesses, within a week, people said that they got unwanted e-mail."""
    since = clock.now() - UNWANTED
    rows = StoppedMail.objects.filter(stopped_at__gt=since).values("business__name")
    return [
        f"{row['said']} said “This is not me” to e-mail from "
        f"{row['business__name'] or 'our public pages'} within a week."
        for row in rows.annotate(said=Count("pk")).order_by("-said")[:20]
    ]


def figures() -> list[tuple[str, int]]:
    """Return what there is of it now, for the page of those who watch."""
    now = clock.now()
    tries, networks = failed_requests.of_a_day()
    unconfirmed = User.objects.filter(email_confirmed_at=None)
    return [
        ("Open sessions", Session.objects.filter(expire_date__gt=now).count()),
        ("Ended sessions", Session.objects.filter(expire_date__lte=now).count()),
        ("Counts of tries", Throttle.objects.count()),
        ("People who have not confirmed their address", unconfirmed.count()),
        ("Tries of visitors in vain, within a day", tries),
        ("Networks that they came from", networks),
    ]
