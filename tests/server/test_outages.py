"""While PostgreSQL is away or hangs, pages and the API answer 503 in time, and then recover."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import pytest
from django.db import Error, connection, transaction
from django.test import Client
from django.urls import reverse

from console.accounts.roles import Role
from console.core import outages
from console.launch.postgres import SITE
from tests import databases, factories
from tests.apikeys import world
from tests.proofs import Proven, proof
from tests.server.database_proxy import DatabaseProxy
from tests.server.writers import AT_ONCE, Answer, Ask, Writers
from tests.services import Services
from tests.waiting import eventually

SECONDS = 2
# Connecting and a statement may each take that long, with a second for the server to say so.
IN_TIME = 2 * (SECONDS + 1) + 4


@pytest.fixture
def database() -> Iterator[DatabaseProxy]:
    proxy = DatabaseProxy(f"{connection.settings_dict['HOST']}/.s.PGSQL.5432")
    yield proxy
    proxy.close()


@pytest.mark.services
@pytest.mark.parametrize("pool", [0, 10])
@proof("R20", "the database refuses, drops and hangs", small=2, full=5)
def test_pages_and_api_answer_503_in_time_and_recover(
    proven: Proven, services: Services, database: DatabaseProxy, pool: int
):
    client = factories.signed_in(Client(), factories.one_of_staff(Role.COMPLIANCE))
    _, secret = world.a_key()
    person = {"Cookie": f"session={client.cookies['session'].value}"}
    key = {"Authorization": f"Bearer {secret}"}
    pages = [
        Ask("GET", reverse("onboarding:review_queue"), person),
        Ask("POST", reverse("accounts:sign_out"), person),
    ]
    calls = [
        Ask("GET", "/sandbox/v1/me", key),
        Ask("POST", "/sandbox/v1/payouts", key),
        Ask("GET", "/v1/me", {"Authorization": "Bearer nobody"}),
    ]

    def asked() -> list[Answer]:
        with ThreadPoolExecutor(5) as threads:
            return list(threads.map(lambda one: Answer(services.port, one), [*pages, *calls]))

    _start(services, database, pool)
    writers = Writers(services.port)
    before = [answer.status for answer in asked()]
    assert max(before) < 500
    for outage in (database.refuse, database.drop, database.hang):
        outage()
        for _ in range(proven.size):
            with ThreadPoolExecutor(1) as beside:
                written = beside.submit(writers.send)
                answers = [*asked(), *written.result()]
            assert all(answer.is_outage for answer in answers)
            assert max(answer.seconds for answer in answers) < IN_TIME
        database.pass_on()
        eventually(lambda: [answer.status for answer in asked()] == before, within=30)
        with writers.going_on():
            time.sleep(0.5)
            outage()
            time.sleep(SECONDS)
            database.pass_on()
    writers.report(proven)


@pytest.mark.services
@proof("R20", "the database is slow, and then slower than a statement may take", small=1, full=5)
def test_a_slow_database_gives_answers_or_503(
    proven: Proven, services: Services, database: DatabaseProxy
):
    _start(services, database, pool=10)
    writers = Writers(services.port)
    for number in range(proven.size):
        database.slow(0.02 * (number + 1))
        writers.send()
        database.pass_on()
        with databases.as_owner() as owner:
            owner.execute("LOCK TABLE sandbox_customer")
            answers = writers.send()
        assert [answer.status for answer in answers] == [503] * AT_ONCE
        assert max(answer.seconds for answer in answers) < IN_TIME
    writers.report(proven)


def _start(services: Services, database: DatabaseProxy, pool: int) -> None:
    at = connection.settings_dict
    password = quote(at["PASSWORD"], safe="")
    url = f"postgres://{SITE}:{password}@127.0.0.1:{database.port}/{at['NAME']}"
    services.start("web", DATABASE_URL=url, DB_TIMEOUT=str(SECONDS), DB_POOL=str(pool))


@pytest.mark.parametrize(
    ("state", "is_outage"),
    [
        ("57P01", True),  # the server shuts down
        ("57014", True),  # the statement took too long
        ("53300", True),  # too many connections
        ("25006", True),  # the server became a standby
        ("40P01", False),  # a deadlock
        ("55P03", False),  # a lock is held
        ("23505", False),  # a second row with a unique value
        ("22012", False),  # a division by zero
    ],
)
def test_only_an_outage_is_called_one(state: str, is_outage: bool):
    with pytest.raises(Error) as raised, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"DO $$ BEGIN RAISE SQLSTATE '{state}'; END $$")
    assert outages.is_outage(raised.value) is is_outage
    followed = RuntimeError()
    followed.__context__ = raised.value
    assert outages.is_outage(followed) is is_outage
