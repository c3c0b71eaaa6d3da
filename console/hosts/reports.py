"""Reports of parts: each says every minute what its host has, and what is wrong with it.

report("web")    store the report of a part now, and return what is wrong
start("web")     report every minute, in a thread of this process
"""

import logging
import socket
import threading
import time
from datetime import timedelta
from typing import Any, NoReturn

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models.functions import Now

from console.core import clock
from console.hosts import shared_values
from console.hosts.models import PartReport

log = logging.getLogger(__name__)

PERIOD = timedelta(minutes=1)
# Reports of hosts that are gone are deleted then.
_FORGOTTEN = timedelta(days=1)
# The most seconds that a host's clock may differ from the database's.
CLOCK_LIMIT = 5.0


def report(part: str) -> list[str]:
    """Store what a part has and what is wrong here, and return the latter."""
    found, ahead = shared_values.compare_all(), clock_ahead()
    wrong = shared_values.problems(found) + clock_problems(ahead)
    said: dict[str, Any] = {
        "state": {
            "version": settings.VERSION,
            "BASE_URL": settings.BASE_URL,
            "CHECKOUT_ORIGIN": settings.CHECKOUT_ORIGIN,
            **{setting: one.here for setting, one in found.items()},
        },
        "problems": wrong,
        "clock_ahead": ahead,
        "seen_at": Now(),
    }
    PartReport.objects.update_or_create(host=socket.gethostname(), part=part, defaults=said)
    PartReport.objects.filter(seen_at__lt=Now() - _FORGOTTEN).delete()
    return wrong


def clock_ahead() -> float:
    """Return by how many seconds this clock is ahead of the database's, at least."""
    before, there, after = clock.now(), clock.of_database(), clock.now()
    if before <= there <= after:
        return 0.0
    return min(((before - there).total_seconds(), (after - there).total_seconds()), key=abs)


def clock_obstacle() -> str:
    return " ".join(clock_problems(clock_ahead()))


def clock_problems(ahead: float) -> list[str]:
    """Say whether this host's clock is wrong."""
    if abs(ahead) <= CLOCK_LIMIT:
        return []
    side = "ahead of" if ahead > 0 else "behind"
    return [f"The clock is {abs(ahead):.0f} s {side} the database's. Synchronise clocks."]


def start(part: str) -> None:
    """Report every minute from now on, as long as this process runs."""
    threading.Thread(target=_go_on, args=(part,), name="reports", daemon=True).start()


def _go_on(part: str) -> NoReturn:
    while True:
        try:
            report(part)
        except (DatabaseError, OSError) as error:
            log.info("part_not_reported", extra={"part": part, "why": type(error).__name__})
        finally:
            connection.close()
        time.sleep(PERIOD.total_seconds())
