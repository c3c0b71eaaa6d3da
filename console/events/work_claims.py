"""claim(): work that only one worker does at a time, whatever becomes of that worker."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

# The first half of our advisory locks: which kind of work. The second half is which piece.
DELIVERY, JOB, ENDPOINTS, MAIL, PUBLICATIONS = range(7301, 7306)


def lock(kind: int, number: int) -> None:
    """Let nobody else do this piece of work until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [kind, number % 2**31])


@contextmanager
def claim(kind: int, number: int) -> Iterator[bool]:
    """Take an advisory lock of this database session, or yield False: it ends with the worker."""
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
