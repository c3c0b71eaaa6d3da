"""Rate limiting for the console: exact over all processes, one row for each bucket in use.

take(what, who, rate)       count one attempt, or raise TooMany
take_for(what, name, rate)  the same for a name that was typed in, stored as a digest
wait_for(what, name, rate)  -> seconds until the next attempt is allowed; 0 if it is now
forget(what, name)          reset the count of `take_for`
forget_full()               every minute: delete buckets that are full again
"""

from math import ceil

from django.db import connection
from django.utils.translation import gettext as _

from console.accounts.limits import Rate
from console.accounts.models import Throttle
from console.core import clock, gcra
from console.core.digests import sha256_hex
from console.core.refusals import TooMany

# Use the console's clock, not the database's, because tests change it.
_NOW = "%(now)s::float8"
_TAKE = gcra.take_sql(
    "accounts_throttle", _NOW, name="%(name)s", asked="1", burst="%(burst)s", cost="%(cost)s"
)


def take(what: str, who: str, rate: Rate) -> None:
    """Count one attempt, or raise TooMany with the seconds to wait. Refusals do not count."""
    given: dict[str, str | float] = {
        "name": _name(what, who), "now": clock.now().timestamp(),
        "burst": rate.tries, "cost": rate.cost,
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, given)
        if cursor.fetchone():
            return
    wait = max(1, _wait(what, who, rate))
    raise TooMany(
        _("That was tried too often. Try again %(when)s.") % {"when": _in_words(wait)},
        retry_after=wait,
    )


def take_for(what: str, name: str, rate: Rate) -> None:
    """Count one attempt for a name that was typed in; only its digest is stored."""
    take(what, _digest(name), rate)


def wait_for(what: str, name: str, rate: Rate) -> int:
    """Return in how many seconds `take_for` allows an attempt. Counts nothing."""
    return _wait(what, _digest(name), rate)


def forget(what: str, name: str) -> None:
    """Reset the count of `take_for`."""
    Throttle.objects.filter(name=_name(what, _digest(name))).delete()


def forget_full() -> None:
    """Delete full buckets, so that attempts by strangers do not accumulate rows."""
    Throttle.objects.filter(arrives__lte=clock.now().timestamp()).delete()


def _wait(what: str, who: str, rate: Rate) -> int:
    bucket = Throttle.objects.filter(name=_name(what, who)).first()
    ahead = bucket.arrives - clock.now().timestamp() if bucket else 0.0
    # A double represents this century to less than a microsecond.
    return max(0, ceil(round(gcra.wait(ahead, rate.tries, rate.cost), 3)))


def _name(what: str, who: str) -> str:
    return f"{what}:{who}"[:120]


def _digest(name: str) -> str:
    return sha256_hex(name.encode())


def _in_words(seconds: int) -> str:
    if seconds < 90:
        return _("in a minute")
    return _("in %(minutes)d minutes") % {"minutes": ceil(seconds / 60)}
