"""One form creates one key, and its secret appears in one response only."""

import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.urls import reverse

from api.request_log_writer import WRITER
from apikeys.models import ApiKey
from apikeys.secrets import SHAPE
from console.audit.models import Entry
from console.events.models import Event
from tests import factories
from tests.api.calling import Caller
from tests.apikeys import world
from tests.proofs import Proven, proof

TOGETHER = 32
pytestmark = pytest.mark.django_db(transaction=True)


def everything_stored() -> str:
    """Return every row of every table, and every stored file."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema='public'"
        )
        found = []
        for (table,) in cursor.fetchall():
            cursor.execute(f'SELECT t::text FROM "{table}" AS t')
            found += [row for (row,) in cursor.fetchall()]
    files = [path for path in Path(settings.DATA_DIR).rglob("*") if path.is_file()]
    return "\n".join(found + [path.read_bytes().decode("latin-1") for path in files])


@proof("R6", "creating a key", full=100, asked="exactly 1 key from 32 posts of one form")
def test_one_form_sent_many_times_at_once_makes_one_key(proven: Proven):
    wrong = []
    for _ in range(proven.size):
        grant = world.a_grant()
        owner = factories.owner_of(grant.business)
        address = reverse("apikeys:new_key", args=[grant.business.public_id])
        clients = [factories.signed_in(Client(), owner) for _ in range(TOGETHER)]
        typed = {"name": "Raced", "scopes": ["balances:read"], "days": "30"}
        typed["once"] = world.once_in(clients[0].get(address).text)

        def press(client: Client, to: str = address, what: Any = typed) -> int:
            try:
                return client.post(to, what).status_code
            finally:
                connection.close()

        with ThreadPoolExecutor(TOGETHER) as pool:
            answers = sorted(pool.map(press, clients))
        if answers != [200] + [409] * (TOGETHER - 1) or grant.keys.count() != 1:
            wrong.append(answers)
    proven.reached(f"{proven.size} rounds of {TOGETHER}, {len(wrong)} wrong", met=not wrong)


@proof("R9", "the secret of a key")
def test_the_secret_is_in_one_answer_and_nowhere_else(proven: Proven, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    grant = world.a_grant()
    client = factories.signed_in(Client(), factories.owner_of(grant.business))
    address = reverse("apikeys:new_key", args=[grant.business.public_id])
    typed = {"name": "Watched", "scopes": ["balances:read"], "days": "30"}
    shown = client.post(address, typed | {"once": world.once_in(client.get(address).text)})
    found = SHAPE.search(shown.content.decode())
    assert found
    plain, secret = found[0], found[2]

    api = Caller()
    answers = [
        api.get("/sandbox/v1/me", plain),
        api.get("/v1/me", plain),
        api.get("/sandbox/v1/balances", plain, query=f"currency={plain}"),
        api.get(f"/sandbox/v1/{plain}", plain, HTTP_USER_AGENT=plain),
        api.get("/sandbox/v1/me", plain, HTTP_SERVICE_VERSION=plain),
        api.get("/sandbox/v1/me", plain, HTTP_HOST=plain),
        api.call("POST", "/sandbox/v1/me", plain, body=plain.encode()),
    ]
    WRITER.flush()
    keys = reverse("apikeys:keys", args=[grant.business.public_id])
    pages = [client.get(keys), client.get(address), client.post(address, typed)]
    revoke = reverse("apikeys:revoke", args=[grant.business.public_id, found[1]])
    pages += [
        client.get(revoke),
        client.post(revoke, {"name": "Watched", "reason": "Seen."}, follow=True),
    ]
    factories.settle()

    places = {
        "answers": b"".join(answer.body for answer in answers).decode(),
        "headers": str([answer.headers for answer in answers]),
        "pages": "".join(page.content.decode() for page in pages),
        "stored": everything_stored(),
        "logs": caplog.text + "".join(capfd.readouterr()),
    }
    hits = [name for name, text in places.items() if secret in text]
    assert ApiKey.objects.filter(public_id=found[1]).exists()
    assert Event.objects.exists()
    assert Entry.objects.exists()
    proven.reached(f"{len(hits)} of {len(places)} places hold it: {hits}", met=not hits)
