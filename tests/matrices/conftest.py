"""One world for all matrices, committed once; every request in it is rolled back."""

from collections.abc import Callable, Iterator
from copy import copy
from functools import cache
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client

from console.accounts.models import User
from tests.databases import empty_tables
from tests.matrices import world as building
from tests.matrices.world import World

# Tables that any request may write: the log, sessions, how often something was tried.
UNCOUNTED = (
    "audit_",
    "accounts_session",
    "accounts_throttle",
    "api_",
    "apikeys_requestlog",
)


@pytest.fixture(scope="package")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    with django_db_blocker.unblock():
        yield building.build()
        empty_tables()


Ask = Callable[..., Any]


@pytest.fixture
def client_of(world: World) -> Callable[[User | None], Client]:
    """Sign a person in once in a test: what a request does to their session is taken back."""
    return cache(building.client_of)


@pytest.fixture
def ask(stopped_clock: None) -> Ask:
    """Send a request, take its effects back, and note whether it had changed rows.

    Sessions are never written on, so the clock stands still: no matrix is too long for them.
    """

    def send(client: Client, method: str, path: str, **more: Any) -> Any:
        cookies = copy(client.cookies)
        with transaction.atomic():
            before = _rows()
            response: Any = client.generic(method, path, **more)
            response.rows_changed = _rows() != before
            transaction.set_rollback(True)
        client.cookies = cookies
        # Closing the response would close the database's connection with it: only its files are.
        for close in response._resource_closers:
            close()
        return response

    return send


def _rows() -> dict[str, int]:
    """Count the writes of this transaction to each table."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, pg_stat_get_xact_tuples_inserted(oid)"
            " + pg_stat_get_xact_tuples_updated(oid) + pg_stat_get_xact_tuples_deleted(oid)"
            " FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        )
        return {name: n for name, n in cursor.fetchall() if n and not name.startswith(UNCOUNTED)}
