"""Nightly deletion of expired rows, so that strangers cannot fill the tables."""

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
from console.shell import modules
from console.shell.navigation import counted

JOB = "governance.clean"
SENTENCES = {"work.cleaned": gettext_noop("Expired rows were removed")}
# Whoever has not confirmed their address by then must sign up again.
UNCONFIRMED = timedelta(days=7)
COUNTED = timedelta(days=30)
UNWANTED = timedelta(days=7)
# After this time nobody needs to know what a listener did about an event.
HANDLED = timedelta(days=90)
_AT_ONCE = 10_000
# Deletes at most the given number of rows, and returns how many it deleted.
RemoveBatch = Callable[[int], int]


class _Tables:
    """The subject of the audit entry about a nightly run."""

    public_id = "ended"


def clean(*, by: Actor) -> None:
    """Delete expired rows. If one part fails, run the others, then raise its error."""
    failures = []
    for what, remove in _parts().items():
        try:
            while _remove(what, remove, by=by) == _AT_ONCE:
                pass
        except Exception as failure:  # noqa: BLE001  # the other parts continue
            failures.append(failure)
    if failures:
        raise ExceptionGroup("Not everything that has ended was removed.", failures)


def _parts() -> Mapping[str, RemoveBatch]:
    """Return what is deleted each night, by its name in the audit log."""
    now = clock.now()
    return {
        "sessions": _remove_sessions,
        "attempts": partial(failed_requests.remove, now - COUNTED),
        "people": _remove_unconfirmed,
        "events": partial(outbox.remove_handled, now - HANDLED),
    }


@transaction.atomic
def _remove(what: str, remove: RemoveBatch, *, by: Actor) -> int:
    """Delete one batch, and log how many rows it contained."""
    removed = remove(_AT_ONCE)
    if removed:
        found: dict[str, Any] = {what: removed}
        audit.record("work.cleaned", _Tables(), by=by, **found)
    return removed


def _remove_sessions(most: int) -> int:
    """Delete expired sessions."""
    ended = Session.objects.filter(expire_date__lte=clock.now()).order_by("expire_date")
    removed, _by_model = Session.objects.filter(pk__in=ended.values("pk")[:most]).delete()
    return removed


def _remove_unconfirmed(most: int) -> int:
    """Delete users who signed up a week ago and never confirmed their address."""
    rows = User.objects.select_for_update(no_key=True, of=("self",), skip_locked=True)
    joined = clock.now() - UNCONFIRMED
    old = rows.filter(email_confirmed_at=None, joined_at__lte=joined, membership__isnull=True)
    people = [person.pk for person in old.order_by("pk")[:most]]
    User.objects.filter(pk__in=people).delete()
    return len(people)


def concerns() -> list[str]:
    """Return which businesses' e-mails people have stopped within a week."""
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


def figures() -> list[tuple[str, str]]:
    """Return current counts for the operators' page, up to what a badge shows."""
    now = clock.now()
    tries, networks = failed_requests.of_a_day()
    rows = {
        _("Open sessions"): Session.objects.filter(expire_date__gt=now),
        _("Ended sessions"): Session.objects.filter(expire_date__lte=now),
        _("Rate limit counters"): Throttle.objects.all(),
        _("People who have not confirmed their address"): User.objects.filter(
            email_confirmed_at=None
        ),
    }
    counts = modules.count_each(rows)
    return [
        *((name, counted(counts[name]) or "0") for name in rows),
        (_("Failed requests of visitors within a day"), str(tries)),
        (_("Networks that they came from"), str(networks)),
    ]
