"""Every thread of a web process that handles a request gets a connection from the pool."""

import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings
from django.db import connection, transaction

from tests.services import Services
from tests.waiting import eventually

_WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = %s::regclass"


@pytest.mark.services
def test_every_thread_has_one_at_once(services: Services) -> None:
    services.start("web", DB_POOL="1")
    page = f"{services.url}/verify/?sha256={'0' * 64}"
    with ThreadPoolExecutor(settings.WEB_THREADS) as asking:
        with transaction.atomic(), connection.cursor() as cursor:
            # The page counts its visitors, so each request blocks here with its connection.
            cursor.execute("LOCK TABLE accounts_throttle IN EXCLUSIVE MODE")
            sent = [
                asking.submit(urllib.request.urlopen, page) for _ in range(settings.WEB_THREADS)
            ]
            eventually(lambda: waiting_for("accounts_throttle") == settings.WEB_THREADS)
        assert [one.result().status for one in sent] == [200] * settings.WEB_THREADS


def waiting_for(table: str) -> int:
    """Return the number of locks on a table that are being waited for."""
    with connection.cursor() as cursor:
        cursor.execute(_WAITING, [table])
        (count,) = cursor.fetchone()
    return int(count)
