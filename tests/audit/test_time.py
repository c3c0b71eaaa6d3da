"""The database gives entries their time, whatever the clock of a host or an intruder says."""

from datetime import timedelta
from pathlib import Path

import pytest
import time_machine
from django.db import transaction

from console.accounts.actors import SYSTEM
from console.audit import chain, models
from console.audit import log as audit
from console.audit.models import Entry
from console.core import clock, digests
from tests import factories
from tests.databases import ENTRIES_TRAVEL, as_owner

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def _real_time():
    real = Path(models.__file__).with_name("audit_time.sql").read_text()
    with as_owner(autocommit=True) as owner:
        owner.execute(real.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION"))
        yield
        owner.execute(ENTRIES_TRAVEL)


@pytest.mark.usefixtures("_real_time")
@pytest.mark.parametrize("days", [-400, 3])
def test_an_entry_has_the_time_of_the_database(days):
    person = factories.a_person()
    with time_machine.travel(clock.now() + timedelta(days=days)):
        said = clock.now().isoformat(timespec="microseconds")
        with transaction.atomic():
            audit.record("person.signed_up", person, by=SYSTEM, was=said)

    entry = Entry.objects.latest("pk")
    body = digests.parse(entry.body.encode())
    assert abs(entry.at - clock.now()) < timedelta(minutes=1)
    assert body["at"] == entry.at.isoformat(timespec="microseconds")
    assert body["details"]["was"] == said
    chain.link()
    assert chain.verify() == []
