"""Advisory locks for work that only one worker may do at a time."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

# The first half of our advisory lock keys: the kind of work. The second half is the item.
DELIVERY, JOB, ENDPOINTS, MAIL, PUBLICATIONS, CHECKOUT_DOMAINS = range(7301, 7307)
SANCTIONS_LISTS, SEALING, ORDERS, ADDRESSES, LOGOS, TURNS = range(7320, 7326)


def lock(kind: int, number: int) -> None:
    """Lock this piece of work until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [kind, number % 2**31])


@contextmanager
def claim(kind: int, number: int) -> Iterator[bool]:
    """Take a session-level advisory lock, which ends with the worker. Yield whether it was free."""
    key = [kind, number % 2**31]
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", key)
        (held,) = cursor.fetchone() or (False,)
    try:
        yield held
    finally:
        if held and connection.connection is not None:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", key)
