"""Re-authentication (“Confirm it is you”): when and how users last proved their identity."""

from datetime import datetime, timedelta
from typing import Any

from django.http import HttpRequest

from console.accounts import factors
from console.accounts.models import User
from console.core import clock, text

MINUTES = 10
# Signing and countersigning need a more recent proof, by one-time code.
SIGNING_MINUTES = 5
_KEY = "confirmed"
_TYPED = "typed_before_confirming"
# Save only forms with typed values, up to this many characters, and never credentials.
_MOST_KEPT = 20_000
# Enough time to find an app and set it up.
_MINUTES_KEPT = 30
_NEVER_KEPT = frozenset({"csrfmiddlewaretoken", "code", "password", "current"})


def stamp(request: HttpRequest, *, by: str) -> None:
    """Record that the user proved their identity, `by` password, code or recovery."""
    request.session[_KEY] = {"at": clock.now().isoformat(), "by": by}


def method(request: HttpRequest) -> str:
    """Return how the user last proved their identity, or ""."""
    return str(request.session.get(_KEY, {}).get("by", ""))


def is_fresh(request: HttpRequest, minutes: int = MINUTES, *, by_code: bool = False) -> bool:
    """Tell whether that was at most `minutes` ago, by a method that is still accepted.

    Times in the future are not accepted, nor is a password once there is an authenticator. With
    `by_code`, only a one-time code is accepted.
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
    """Save the form that was sent to this page until its user has re-authenticated.

    Return False if there was nothing to save, or too much.
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
    """Return the values saved for this page before re-authentication, to show them again."""
    held = request.session.get(_TYPED)
    if request.method != "GET" or not held or held["path"] != request.path:
        return {}
    if clock.now() - datetime.fromisoformat(held["at"]) > timedelta(minutes=_MINUTES_KEPT):
        return {}
    # A group of checkboxes sends one value for each box.
    return {
        name: values if len(values) > 1 else values[0]
        for name, values in held["typed"].items()
        if values
    }


def forget_kept(request: HttpRequest) -> None:
    """Delete the values saved for this page after the form was submitted."""
    if request.session.get(_TYPED, {}).get("path") == request.path:
        del request.session[_TYPED]
