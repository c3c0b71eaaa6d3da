"""After a change every worker refuses: at once for money, within moments for the rest.

Two gateways stand for two worker processes; each has its own memory and its own listener.
"""

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
from tests import factories
from tests.api.calling import Caller
from tests.api.notices import all_heard
from tests.apikeys import world
from tests.waiting import eventually


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
        officer = factories.one_of_staff(Role.COMPLIANCE)
        suspension.suspend(self.key.business, reason="Traffic.", by=officer)

    def close(self):
        head = factories.one_of_staff(Role.HEAD_OF_COMPLIANCE)
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
    return Changed(key, factories.owner_of(key.business), plain)


def opened(table):
    """Another worker, whose listener has been heard of."""
    worker = Gateway(table)
    worker.open()
    eventually(lambda: worker.records._alive_until)
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
    for worker in workers:
        all_heard(worker.gateway.records)
        assert worker.get("/sandbox/v1/me", plain).status == 200


@pytest.mark.parametrize("change", CHANGES, ids=lambda one: one.__name__)
def test_every_worker_refuses_within_moments(workers, changed, change):
    warm(workers, changed.plain)

    change(changed)

    def codes():
        return [worker.get("/sandbox/v1/me", changed.plain).code for worker in workers]

    # Seldom enough that the rate limit does not answer instead.
    eventually(lambda: codes() == [CHANGES[change]] * 2, every=0.2)


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
    all_heard(gateway.records)
    assert caller.get("/sandbox/v1/me", plain).status == 200
    changed.allow_elsewhere()
    all_heard(gateway.records)
    assert other.public_id in gateway.records._kept
