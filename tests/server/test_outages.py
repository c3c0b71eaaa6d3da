"""While PostgreSQL is away or hangs, pages and the API answer 503 in time, and then recover."""

import http.client
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import NamedTuple
from urllib.parse import quote

import pytest
from django.db import Error, connection, transaction
from django.test import Client
from django.urls import reverse

from console.accounts.roles import Role
from console.core import outages
from console.launch.postgres import SITE
from tests import factories
from tests.apikeys import world
from tests.server.database_proxy import DatabaseProxy
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


class Ask(NamedTuple):
    """A request, and whether it needs the database."""

    method: str
    path: str
    headers: dict[str, str]


class Answer:
    """The answer to a request, and after how many seconds it came."""

    def __init__(self, port: int, ask: Ask) -> None:
        began = time.monotonic()
        with closing(http.client.HTTPConnection("localhost", port, timeout=60)) as to:
            to.request(ask.method, ask.path, headers=ask.headers)
            answer = to.getresponse()
            self.text, self.status = answer.read().decode(), answer.status
            self.headers = answer.headers
        self.seconds = time.monotonic() - began


@pytest.mark.services
@pytest.mark.parametrize("pool", [0, 10])
def test_pages_and_api_answer_503_in_time_and_recover(
    services: Services, database: DatabaseProxy, pool: int
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
    before = [answer.status for answer in asked()]
    assert max(before) < 500
    for outage in (database.refuse, database.drop, database.hang):
        outage()
        for _ in range(2):
            answers = asked()
            assert [answer.status for answer in answers] == [503] * len(answers)
            assert max(answer.seconds for answer in answers) < IN_TIME
            assert all(int(answer.headers["Retry-After"]) for answer in answers)
            for page in answers[: len(pages)]:
                assert "We are not available right now" in page.text
            for call in answers[len(pages) :]:
                assert json.loads(call.text)["code"] == "PROVIDER_UNAVAILABLE"
        database.pass_on()
        eventually(lambda: [answer.status for answer in asked()] == before, within=30)


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
