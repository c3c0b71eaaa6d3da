"""Every night: what has ended is removed, so that strangers cannot fill the tables for ever."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from console.accounts.actors import Actor
from console.accounts.models import Session, StoppedMail, Throttle, User
from console.audit import failed_requests
from console.audit import log as audit
from console.core import clock
from console.events import outbox

JOB = "governance.clean"
SENTENCES = {"work.cleaned": gettext_noop("Expired rows were removed")}
# Whoever has not confirmed their address by then may sign up again.
UNCONFIRMED = timedelta(days=7)
COUNTED = timedelta(days=30)
UNWANTED = timedelta(days=7)
# By then nobody asks any more what a listener did about an event.
HANDLED = timedelta(days=90)
_AT_ONCE = 10_000
# Removes so many at most, and returns how many there were.
RemoveBatch = Callable[[int], int]


class _Tables:
    """What the entry about a night is about."""

    public_id = "ended"


def clean(*, by: Actor) -> None:
    """Remove what has ended. A part that fails stops no other, and is told at the end."""
    failures = []
    for what, remove in _parts().items():
        try:
            while _remove(what, remove, by=by) == _AT_ONCE:
                pass
        except Exception as failure:  # noqa: BLE001  # the other parts go on
            failures.append(failure)
    if failures:
        raise ExceptionGroup("Not everything that has ended was removed.", failures)


def _parts() -> Mapping[str, RemoveBatch]:
    """Return what a night removes: by what the log calls it."""
    now = clock.now()
    return {
        "sessions": _remove_sessions,
        "attempts": partial(failed_requests.remove, now - COUNTED),
        "people": _remove_unconfirmed,
        "events": partial(outbox.remove_handled, now - HANDLED),
    }


@transaction.atomic
def _remove(what: str, remove: RemoveBatch, *, by: Actor) -> int:
    """Remove one batch, and write down how many it held."""
    removed = remove(_AT_ONCE)
    if removed:
        found: dict[str, Any] = {what: removed}
        audit.record("work.cleaned", _Tables(), by=by, **found)
    return removed


def _remove_sessions(most: int) -> int:
    """Remove sessions that have ended."""
    ended = Session.objects.filter(expire_date__lte=clock.now()).order_by("expire_date")
    removed, _by_model = Session.objects.filter(pk__in=ended.values("pk")[:most]).delete()
    return removed


def _remove_unconfirmed(most: int) -> int:
    """Remove people who signed up a week ago and never said that the address is theirs."""
    rows = User.objects.select_for_update(no_key=True, of=("self",), skip_locked=True)
    joined = clock.now() - UNCONFIRMED
    old = rows.filter(email_confirmed_at=None, joined_at__lte=joined, membership__isnull=True)
    people = [person.pk for person in old.order_by("pk")[:most]]
    User.objects.filter(pk__in=people).delete()
    return len(people)


def concerns() -> list[str]:
    """Return from which businesses, within a week, people said that they got unwanted e-mail."""
    since = clock.now() - UNWANTED
    rows = StoppedMail.objects.filter(stopped_at__gt=since).values("business__name")
    return [
        ngettext(
            "%(people)d person stopped e-mails from %(sender)s within a week.",
            "%(people)d people stopped e-mails from %(sender)s within a week.",
            row["said"],
        )
        % {"people": row["said"], "sender": row["business__name"] or _("our public pages")}
        for row in rows.annotate(said=Count("pk")).order_by("-said")[:20]
    ]


def figures() -> list[tuple[str, int]]:
    """Return what there is of it now, for the page of those who watch."""
    now = clock.now()
    tries, networks = failed_requests.of_a_day()
    unconfirmed = User.objects.filter(email_confirmed_at=None)
    return [
        (_("Open sessions"), Session.objects.filter(expire_date__gt=now).count()),
        (_("Ended sessions"), Session.objects.filter(expire_date__lte=now).count()),
        (_("Rate limit counters"), Throttle.objects.count()),
        (_("People who have not confirmed their address"), unconfirmed.count()),
        (_("Failed requests of visitors within a day"), tries),
        (_("Networks that they came from"), networks),
    ]
