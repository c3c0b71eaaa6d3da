"""Records in memory: believed while they are true, and dropped when they change."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple

import psycopg
import pytest
from django.db import connection

from api.gateway import records as records_module
from api.gateway.cache import Records
from api.gateway.database import Database
from apikeys.models import ApiKey, Grant
from console.accounts.models import Business
from tests.api.notices import all_heard
from tests.apikeys import world
from tests.waiting import eventually


class Counted(Database):
    """A database that counts what it is asked."""

    asked = 0

    def rows(self, statement, *values):
        self.asked += 1
        return super().rows(statement, *values)


@pytest.fixture
def database():
    database = Counted()
    yield database
    database.close()


@pytest.fixture
def records(database):
    records = Records(database)
    records.start()
    eventually(lambda: records._alive_until)
    yield records
    records.stop()


def a_settled_key(records):
    """A key whose own changes have been heard."""
    key, _ = world.a_key()
    all_heard(records)
    return key


def test_a_record_is_read_once(records, database):
    key = a_settled_key(records)

    found = [records.find(key.public_id) for _ in range(5)]

    assert found[0].key_id == key.public_id
    assert found[0].scopes == ("balances:read",)
    assert database.asked == 1


def test_what_does_not_exist_is_remembered_too(records, database):
    assert [records.find("svc_test_AAAAAAAAAAAAAAAA") for _ in range(3)] == [None] * 3
    assert database.asked == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda key: ApiKey.objects.filter(pk=key.pk).update(name="Renamed"),
        lambda key: ApiKey.objects.filter(pk=key.pk).update(scopes=["webhooks:read"]),
        lambda key: Grant.objects.filter(pk=key.grant_id).update(products=["webhooks"]),
        lambda key: Grant.objects.filter(pk=key.grant_id).update(tier="HIGH"),
        lambda key: Business.objects.filter(pk=key.grant.business_id).update(name="New"),
    ],
)
def test_every_change_of_key_grant_or_business_drops_it(records, change):
    key = a_settled_key(records)
    before = astuple(records.find(key.public_id))

    change(key)

    eventually(lambda: astuple(records.find(key.public_id)) != before)


def test_a_change_in_plain_sql_drops_it_too(records):
    key, _ = world.a_key()
    records.find(key.public_id)

    with connection.cursor() as cursor:
        cursor.execute("UPDATE apikeys_apikey SET name = 'By hand' WHERE id = %s", [key.pk])

    eventually(lambda: records.find(key.public_id).key_name == "By hand")


def test_noting_a_use_drops_nothing(records, database):
    key = a_settled_key(records)
    records.find(key.public_id)

    ApiKey.objects.filter(pk=key.pk).update(last_used_ip="10.0.0.1")
    all_heard(records)
    records.find(key.public_id)

    assert database.asked == 1


def test_without_a_listener_nothing_is_believed(database):
    key, _ = world.a_key()
    records = Records(database)

    for _ in range(3):
        assert records.find(key.public_id)

    assert database.asked == 3


def test_a_silent_listener_is_not_believed_for_long(records, database):
    key, _ = world.a_key()
    records.find(key.public_id)
    records._alive_until = time.monotonic() - 1

    records.find_now(key.public_id)
    asked = database.asked
    records.find(key.public_id)

    assert database.asked == asked + 1


def test_a_listener_that_lost_its_connection_listens_again(records, database):
    key, _ = world.a_key()
    records.find(key.public_id)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'gateway' AND query = 'SELECT 1'"
        )
    time.sleep(0.1)

    ApiKey.objects.filter(pk=key.pk).update(name="Changed meanwhile")

    eventually(lambda: records.find(key.public_id).key_name == "Changed meanwhile")


def test_a_row_read_while_it_changed_is_not_kept(records, database, monkeypatch):
    key, _ = world.a_key()
    read = records_module.read

    def read_slowly(where, key_id):
        record = read(where, key_id)
        records.forget(key_id)
        return record

    monkeypatch.setattr(records_module, "read", read_slowly)
    records.find(key.public_id)
    asked = database.asked
    records.find(key.public_id)

    assert database.asked == asked + 1


def test_a_connection_that_died_is_replaced(database):
    key, _ = world.a_key()
    records = Records(database)
    records.find(key.public_id)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'gateway'"
        )

    assert records.find(key.public_id)


def test_the_door_says_unavailable_while_the_database_is_away(api, monkeypatch):
    _, plain = world.a_key()

    def away(self):
        raise psycopg.OperationalError("away")

    monkeypatch.setattr(Database, "connect", away)
    api.gateway.database.close()
    api.gateway.records.forget()
    reply = api.get("/sandbox/v1/me", plain)

    assert (reply.status, reply.code) == (503, "PROVIDER_UNAVAILABLE")
    assert reply.headers["Retry-After"] == "1"


def test_a_thread_that_ends_takes_its_connection_along():
    database = Database()
    with ThreadPoolExecutor(1) as pool:
        pid = pool.submit(database.rows, "SELECT pg_backend_pid()").result()[0][0]

    def gone() -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE pid = %s", [pid])
            return cursor.fetchone() == (0,)

    eventually(gone)
