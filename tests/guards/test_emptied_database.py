"""A test's last save that is still under way leaves nothing in the next test's database."""

import threading
import time

import pytest
from django.db import connection, transaction

from console.accounts.actors import SYSTEM
from console.audit import log
from console.audit.models import ChainHead, ChainLink, Entry
from tests import factories
from tests.databases import empty_tables
from tests.waiting import PATIENCE

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_change_under_way_is_waited_for_and_then_removed():
    business = factories.a_business()
    written = threading.Event()

    def save_late():
        try:
            with transaction.atomic():
                log.record("business.renamed", business, by=SYSTEM)
                written.set()
                time.sleep(0.4)
        finally:
            connection.close()

    late = threading.Thread(target=save_late)
    late.start()
    assert written.wait(PATIENCE)
    empty_tables()
    late.join()

    assert not Entry.objects.exists()
    assert not ChainLink.objects.exists()
    assert ChainHead.objects.get().count == 0
