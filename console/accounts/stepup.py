"""Re-authentication (“Confirm it is you”): when and how users last proved their identity."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.http import HttpRequest

from console.accounts import factors
from console.accounts.models import User
from console.core import clock, text
from console.shell.forms import typed_fields

MINUTES = 10
# How recent a confirmation at the OpenID provider must be for an act that binds.
SIGNING_MINUTES = 5
_KEY = "confirmed"
# Session key of what the OpenID provider said, in sessions that it began.
PROVIDER = "provider"
_HELD = "held_form"
_MOST_HELD = 20_000  # characters
# Enough time to find an app and set it up.
_HELD_FOR = timedelta(minutes=30)


def stamp(request: HttpRequest, *, by: str, at: datetime | None = None) -> None:
    """Record the proof: `by` password, code, recovery, passkey or provider. Without `at`, now."""
    request.session[_KEY] = {"at": (at or clock.now()).isoformat(), "by": by}


def method(request: HttpRequest) -> str:
    """Return how the user last proved their identity, or ""."""
    return str(request.session.get(_KEY, {}).get("by", ""))


def by_provider(request: HttpRequest) -> bool:
    """Tell whether the session began at the OpenID provider, which then also confirms."""
    return PROVIDER in request.session


def is_fresh(request: HttpRequest, minutes: int = MINUTES) -> bool:
    """Tell whether the user proved their identity in the last `minutes`, by an accepted method.

    Times in the future are not accepted, nor is a password once there is a second factor.
    """
    at = request.session.get(_KEY, {}).get("at")
    if not at or not _counts(request):
        return False
    age = clock.now() - datetime.fromisoformat(at)
    return timedelta() <= age <= timedelta(minutes=minutes)


def _counts(request: HttpRequest) -> bool:
    if method(request) != "password":
        return True
    return not isinstance(request.user, User) or not factors.has_second_factor(request.user)


def spend(request: HttpRequest) -> None:
    """Forget the proof, because it was used for an act that binds."""
    request.session.pop(_KEY, None)


@dataclass(frozen=True)
class Held:
    """A form submitted before the user proved their identity."""

    path: str
    fields: list[tuple[str, str]]


def hold(request: HttpRequest) -> bool:
    """Save the submitted form in the session, to submit it again after re-authentication.

    Return False if it is too long, or has files.
    """
    fields = [(text.keepable(name), text.keepable(value)) for name, value in typed_fields(request)]
    if request.FILES or sum(len(value) for _, value in fields) > _MOST_HELD:
        return False
    path, at = request.get_full_path(), clock.now().isoformat()
    request.session[_HELD] = {"path": path, "fields": fields, "at": at}
    return True


def held(request: HttpRequest) -> Held | None:
    """Return the saved form, unless it is too old."""
    kept = request.session.get(_HELD)
    if not kept or clock.now() - datetime.fromisoformat(kept["at"]) > _HELD_FOR:
        return None
    return Held(kept["path"], [(name, value) for name, value in kept["fields"]])


def release(request: HttpRequest) -> None:
    """Delete the saved form if this request submits it again."""
    if request.session.get(_HELD, {}).get("path") == request.get_full_path():
        del request.session[_HELD]
