"""An action during a suspension happens before it or is refused, never both."""

from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction

from apikeys.grants import grants
from apikeys.keys import key_expiry, keys, rotation
from apikeys.lifecycle import KeyStatus
from apikeys.suspension import suspension
from console.accounts import members
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.core.refusals import Refused
from tests import factories
from tests.apikeys import world
from tests.waiting import eventually

WHY = "Traffic to a restricted country."


def stop_business(key, by):
    suspension.suspend(key.business, reason=WHY, by=by)


def stop_grant(key, by):
    grants.suspend(key.grant, reason=WHY, by=by)


def issue(key, owner):
    world.a_key(key.grant, name="Second", by=owner)


def rotate(key, owner):
    rotation.rotate(key, grace=timedelta(hours=1), by=owner)


def enable(key, owner):
    key_expiry.enable(key, by=owner)


def invite(key, owner):
    members.invite(key.business, email="new@example.com", role=Role.DEVELOPER, by=owner)


# Only this database: a session waiting for a row also locks its table, which shows the database.
WAITING = """
SELECT count(*) FROM pg_locks WHERE NOT granted AND pid IN (
  SELECT here.pid FROM pg_locks AS here JOIN pg_database AS home ON home.oid = here.database
  WHERE home.datname = current_database()
)
"""


def is_over_or_waits(doing: "Future[Any]") -> bool:
    with connection.cursor() as cursor:
        cursor.execute(WAITING)
        return doing.done() or cursor.fetchone()[0] > 0


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("stop", [stop_business, stop_grant])
@pytest.mark.parametrize("verb", [issue, rotate, enable, invite])
def test_what_begins_beside_a_suspension_is_refused(verb, stop):
    key, _ = world.a_key()
    owner = factories.owner_of(key.business)
    role = Role.COMPLIANCE if stop is stop_business else Role.ACCOUNT_MANAGER
    reviewer = factories.one_of_staff(role)
    if verb is enable:
        with transaction.atomic():
            keys.move(key, KeyStatus.DISABLED, by=SYSTEM, reason="unused")

    def begin() -> None:
        try:
            verb(key, owner)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            stop(key, reviewer)
            doing = pool.submit(begin)
            eventually(lambda: is_over_or_waits(doing))
        with pytest.raises(Refused):
            doing.result()
