"""One committed world for all matrices; every request is rolled back."""

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

# Tables that any request may write: the audit log, sessions, throttles, API tables, request log.
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
    """Return a function that signs a person in once per test."""
    return cache(building.client_of)


@pytest.fixture
def ask(stopped_clock: None) -> Ask:
    """Return a function that sends a request, rolls it back, and notes if rows changed.

    Time is stopped, because rolled-back sessions are never extended and would expire.
    """

    def send(client: Client, method: str, path: str, **more: Any) -> Any:
        cookies = copy(client.cookies)
        with transaction.atomic():
            before = _rows()
            response: Any = client.generic(method, path, **more)
            response.rows_changed = _rows() != before
            transaction.set_rollback(True)
        client.cookies = cookies
        # response.close() would also close the database connection, so close only its files.
        for close in response._resource_closers:
            close()
        return response

    return send


def _rows() -> dict[str, int]:
    """Return the number of writes to each table in this transaction."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, pg_stat_get_xact_tuples_inserted(oid)"
            " + pg_stat_get_xact_tuples_updated(oid) + pg_stat_get_xact_tuples_deleted(oid)"
            " FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        )
        return {name: n for name, n in cursor.fetchall() if n and not name.startswith(UNCOUNTED)}
