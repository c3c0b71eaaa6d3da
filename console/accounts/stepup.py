"""“Confirm it is you”: a session's stamp of when, and how, its person last proved who they are."""

from datetime import datetime, timedelta

from django.http import HttpRequest

from console.core import clock

MINUTES = 10
# Signing and countersigning ask for a fresher proof, by one-time code (rulings, section 6).
SIGNING_MINUTES = 5
_KEY = "confirmed"


def stamp(request: HttpRequest, *, by: str) -> None:
    """Note that the person proved who they are, `by` password, code or recovery."""
    request.session[_KEY] = {"at": clock.now().isoformat(), "by": by}


def method(request: HttpRequest) -> str:
    """Return how the person last proved it, or nothing."""
    return str(request.session.get(_KEY, {}).get("by", ""))


def is_fresh(request: HttpRequest, minutes: int = MINUTES) -> bool:
    """Tell whether that was within so many minutes. A stamp of the future does not count."""
    at = request.session.get(_KEY, {}).get("at")
    if not at:
        return False
    age = clock.now() - datetime.fromisoformat(at)
    return timedelta() <= age <= timedelta(minutes=minutes)
