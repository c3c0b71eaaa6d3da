"""“Confirm it is you”: a session's stamp of when, and how, its person last proved who they are."""

from datetime import datetime, timedelta
from typing import Any

from django.http import HttpRequest

from console.accounts import factors
from console.accounts.models import User
from console.core import clock, text

MINUTES = 10
# Signing and countersigning ask for a fresher proof, by one-time code.
SIGNING_MINUTES = 5
_KEY = "confirmed"
_TYPED = "typed_before_confirming"
# Only a form that a person has typed is kept: this many characters, and nothing that proves.
_MOST_KEPT = 20_000
# Long enough to find an app and set it up.
_MINUTES_KEPT = 30
_NEVER_KEPT = frozenset({"csrfmiddlewaretoken", "code", "password", "current"})


def stamp(request: HttpRequest, *, by: str) -> None:
    """Note that the person proved who they are, `by` password, code or recovery."""
    request.session[_KEY] = {"at": clock.now().isoformat(), "by": by}


def method(request: HttpRequest) -> str:
    """Return how the person last proved it, or nothing."""
    return str(request.session.get(_KEY, {}).get("by", ""))


def is_fresh(request: HttpRequest, minutes: int = MINUTES, *, by_code: bool = False) -> bool:
    """Tell whether that was within so many minutes, in a way that still counts.

    A stamp of the future does not count, nor does a password once there is an authenticator;
    `by_code` says that nothing counts but a one-time code.
    """
    at = request.session.get(_KEY, {}).get("at")
    if not at or not _counts(request, by_code=by_code):
        return False
    age = clock.now() - datetime.fromisoformat(at)
    return timedelta() <= age <= timedelta(minutes=minutes)


def _counts(request: HttpRequest, *, by_code: bool) -> bool:
    by = method(request)
    if by_code:
        return by == "code"
    if by != "password":
        return True
    return not isinstance(request.user, User) or not factors.has_authenticator(request.user)


def keep(request: HttpRequest) -> bool:
    """Keep the form that was sent to this page until its person has confirmed who they are.

    Returns whether there was something to keep, and not too much of it.
    """
    typed = {
        text.keepable(name): [text.keepable(value) for value in values]
        for name, values in request.POST.lists()
        if name not in _NEVER_KEPT
    }
    characters = sum(len(value) for values in typed.values() for value in values)
    if not 0 < characters <= _MOST_KEPT:
        return False
    now = clock.now().isoformat()
    request.session[_TYPED] = {"path": request.path, "typed": typed, "at": now}
    return True


def kept(request: HttpRequest) -> dict[str, Any]:
    """Return what was typed into this page before its person had to confirm, to show it again."""
    held = request.session.get(_TYPED)
    if request.method != "GET" or not held or held["path"] != request.path:
        return {}
    if clock.now() - datetime.fromisoformat(held["at"]) > timedelta(minutes=_MINUTES_KEPT):
        return {}
    # Boxes that belong together send one value each.
    return {
        name: values if len(values) > 1 else values[0]
        for name, values in held["typed"].items()
        if values
    }


def forget_kept(request: HttpRequest) -> None:
    """Forget what was kept for this page: it has been sent."""
    if request.session.get(_TYPED, {}).get("path") == request.path:
        del request.session[_TYPED]
