"""The pages of a business's keys and of going live ask the database a bounded number of times."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests import factories
from tests.apikeys.going_live import world

MOST = 25


@pytest.mark.django_db(transaction=True)
def test_a_page_sends_few_statements():
    ready = world.a_live_business()
    owner = factories.signed_in(Client(), ready.owner)
    sent = {}
    for name in ("keys", "go_live", "webhooks", "own_products"):
        page = reverse(f"apikeys:{name}", args=[ready.business.public_id])
        assert owner.get(page).status_code == 200  # fills caches
        with CaptureQueriesContext(connection) as asked:
            owner.get(page)
        sent[name] = [one["sql"] for one in asked]
    many = {name: [len(sqls), *sqls] for name, sqls in sent.items() if len(sqls) > MOST}
    assert many == {}
