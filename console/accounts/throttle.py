"""How often something may be tried: exact over all processes, a row for each name until it is full.

take(what, who, rate)       count one try, or refuse
take_for(what, name, rate)  the same, for who is named by what was typed: kept as a digest
wait_for(what, name, rate)  -> seconds until one more try is let pass; 0 where it is now
forget(what, name)          begin the count of `take_for` anew
forget_full()               every minute: a count that has run out is as good as none
"""

from math import ceil

from django.db import connection

from console.accounts.limits import Rate
from console.accounts.models import Throttle
from console.core import clock, gcra
from console.core.digests import sha256_hex
from console.core.refusals import TooMany

# The console's clock and not the database's: a test moves it.
_NOW = "%(now)s::float8"
_TAKE = gcra.take_sql(
    "accounts_throttle", _NOW, name="%(name)s", asked="1", burst="%(burst)s", cost="%(cost)s"
)


def take(what: str, who: str, rate: Rate) -> None:
    """Count one try, or refuse with the seconds to wait. A refused try does not count."""
    given: dict[str, str | float] = {
        "name": _name(what, who), "now": clock.now().timestamp(),
        "burst": rate.tries, "cost": rate.cost,
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, given)
        if cursor.fetchone():
            return
    wait = max(1, _wait(what, who, rate))
    raise TooMany(f"That was tried too often. Try again {_in_words(wait)}.", retry_after=wait)


def take_for(what: str, name: str, rate: Rate) -> None:
    """Count one try for somebody who is named by what was typed: only its digest is kept."""
    take(what, _digest(name), rate)


def wait_for(what: str, name: str, rate: Rate) -> int:
    """Return in how many seconds a try of `take_for` is let pass. Counts nothing."""
    return _wait(what, _digest(name), rate)


def forget(what: str, name: str) -> None:
    """Begin the count of `take_for` anew."""
    Throttle.objects.filter(name=_name(what, _digest(name))).delete()


def forget_full() -> None:
    """Drop what is full again, so that strangers' tries leave no more rows than a limit lets."""
    Throttle.objects.filter(arrives__lte=clock.now().timestamp()).delete()


def _wait(what: str, who: str, rate: Rate) -> int:
    bucket = Throttle.objects.filter(name=_name(what, who)).first()
    ahead = bucket.arrives - clock.now().timestamp() if bucket else 0.0
    # A double holds this century to less than a microsecond.
    return max(0, ceil(round(gcra.wait(ahead, rate.tries, rate.cost), 3)))


def _name(what: str, who: str) -> str:
    return f"{what}:{who}"[:120]


def _digest(name: str) -> str:
    return sha256_hex(name.encode())


def _in_words(seconds: int) -> str:
    if seconds < 90:
        return "in a minute"
    return f"in {ceil(seconds / 60)} minutes"
