"""After a change every worker refuses: at once for money, within moments for the rest.

Two gateways stand for two worker processes; each has its own memory and its own listener.
"""

import time
from dataclasses import replace
from datetime import timedelta
from typing import NamedTuple

import pytest

from api.gateway.gateway import Gateway
from api.gateway.operations import Table
from api.v1.operations import TABLE
from apikeys.allowlist import allowlist
from apikeys.keys import keys, rotation
from apikeys.models import ApiKey
from apikeys.suspension import suspension
from console.accounts.models import User
from console.accounts.roles import Role
from tests import given
from tests.api.calling import Caller
from tests.apikeys import world


class Changed(NamedTuple):
    """A key with what its owner and our staff may do to it."""

    key: ApiKey
    owner: User
    plain: str

    def revoke(self):
        keys.revoke(self.key, reason="Replaced.", by=self.owner)

    def end_former(self):
        rotation.rotate(self.key, grace=timedelta(), by=self.owner)
        rotation.end_former(self.key, by=self.owner)

    def narrow(self):
        keys.narrow(self.key, ["webhooks:read"], by=self.owner)

    def allow_elsewhere(self):
        allowlist.set_of_business(self.key.grant, ["192.0.2.1"], by=self.owner)

    def allow_the_key_elsewhere(self):
        allowlist.set_of_key(self.key, ["192.0.2.1"], by=self.owner)

    def suspend(self):
        officer = given.one_of_staff(Role.COMPLIANCE)
        suspension.suspend(self.key.business, reason="Traffic.", by=officer)

    def close(self):
        head = given.one_of_staff(Role.HEAD_OF_COMPLIANCE)
        suspension.close(self.key.business, reason="Traffic.", by=head)


CHANGES = {
    Changed.revoke: "CREDENTIAL_EXPIRED",
    Changed.end_former: "CREDENTIAL_EXPIRED",
    Changed.narrow: "FORBIDDEN_SCOPE",
    Changed.allow_elsewhere: "IP_NOT_ALLOWED",
    Changed.allow_the_key_elsewhere: "IP_NOT_ALLOWED",
    Changed.suspend: "COMPLIANCE_BLOCKED",
    Changed.close: "CREDENTIAL_EXPIRED",
}


@pytest.fixture
def changed():
    key, plain = world.a_key(scopes=("balances:read", "webhooks:read"))
    return Changed(key, given.owner_of(key.business), plain)


def opened(table):
    """Another worker, whose listener has been heard of."""
    worker = Gateway(table)
    worker.open()
    until = time.monotonic() + 5
    while not worker.records._alive_until and time.monotonic() < until:
        time.sleep(0.005)
    return worker


@pytest.fixture
def workers(gateway):
    second = opened(TABLE)
    yield [Caller(gateway), Caller(second)]
    second.close()


@pytest.fixture
def money_workers():
    """Workers whose one operation moves money."""
    (me,) = [one for one in TABLE.operations if one.path == "/me"]
    made = [opened(Table([replace(me, financial=True)])) for _ in range(2)]
    yield [Caller(worker) for worker in made]
    for worker in made:
        worker.close()


def warm(workers, plain):
    """Let every worker hold the record in memory."""
    for _ in range(3):
        assert [worker.get("/sandbox/v1/me", plain).status for worker in workers] == [200, 200]
        time.sleep(0.02)


@pytest.mark.parametrize("change", CHANGES, ids=lambda one: one.__name__)
def test_every_worker_refuses_within_moments(workers, changed, change):
    warm(workers, changed.plain)

    change(changed)

    until = time.monotonic() + 2
    codes: list[str] = []
    while codes != [CHANGES[change]] * 2 and time.monotonic() < until:
        codes = [worker.get("/sandbox/v1/me", changed.plain).code for worker in workers]
    assert codes == [CHANGES[change]] * 2


@pytest.mark.parametrize("change", CHANGES, ids=lambda one: one.__name__)
def test_a_financial_operation_is_refused_on_the_very_next_request(
    money_workers, changed, change, monkeypatch
):
    key = {"HTTP_IDEMPOTENCY_KEY": "12345678"}
    for worker in money_workers:
        assert worker.get("/sandbox/v1/me", changed.plain, **key).status == 200
        # It hears of nothing: what is refused is refused by what the database says.
        monkeypatch.setattr(worker.gateway.records, "forget", lambda what="": None)

    change(changed)

    codes = [worker.get("/sandbox/v1/me", changed.plain, **key).code for worker in money_workers]
    assert codes == [CHANGES[change]] * 2


def test_it_names_what_is_forgotten_and_nothing_else(gateway, changed):
    other, plain = world.a_key()
    caller = Caller(gateway)
    assert caller.get("/sandbox/v1/me", plain).status == 200
    time.sleep(0.05)
    assert caller.get("/sandbox/v1/me", plain).status == 200
    changed.allow_elsewhere()
    time.sleep(0.05)
    assert other.public_id in gateway.records._kept
