"""How often something may be tried: GCRA in one statement, exact at any concurrency."""

from datetime import timedelta
from math import ceil
from typing import Any

from django.db import connection

from console.accounts.limits import Rate
from console.accounts.models import Throttle
from console.core import clock
from console.core.digests import sha256_hex
from console.core.refusals import TooMany

# The arrival time moves by one interval a try and may run ahead by `tries` intervals.
_TAKE = """
INSERT INTO accounts_throttle AS held (key, arrives_at) VALUES (%(key)s, %(now)s + %(step)s)
ON CONFLICT (key) DO UPDATE SET arrives_at = greatest(held.arrives_at, %(now)s) + %(step)s
WHERE greatest(held.arrives_at, %(now)s) + %(step)s <= %(now)s + %(window)s
RETURNING arrives_at
"""
_WAIT = "SELECT arrives_at FROM accounts_throttle WHERE key = %s"


def take(what: str, who: str, rate: Rate) -> None:
    """Count one try, or refuse with the seconds to wait. A refused try does not count."""
    now, step = clock.now(), timedelta(seconds=rate.seconds / rate.tries)
    window = timedelta(seconds=rate.seconds)
    key = f"{what}:{who}"[:120]
    with connection.cursor() as cursor:
        given: dict[str, Any] = {"key": key, "now": now, "step": step, "window": window}
        cursor.execute(_TAKE, given)
        if cursor.fetchone():
            return
        cursor.execute(_WAIT, [key])
        (arrives_at,) = cursor.fetchone() or (now + step,)
    wait = max(1, ceil((arrives_at + step - window - now).total_seconds()))
    raise TooMany(f"That was tried too often. Try again {_in_words(wait)}.", retry_after=wait)


def take_for(what: str, name: str, rate: Rate) -> None:
    """Count one try for somebody who is named by what was typed: only its digest is kept."""
    take(what, _digest(name), rate)


def forget(what: str, name: str) -> None:
    """Begin the count of `take_for` anew."""
    Throttle.objects.filter(key=f"{what}:{_digest(name)}").delete()


def _digest(name: str) -> str:
    return sha256_hex(name.encode())


def _in_words(seconds: int) -> str:
    if seconds < 90:
        return "in a minute"
    return f"in {ceil(seconds / 60)} minutes"
