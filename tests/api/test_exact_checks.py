"""The record of a financial call, and its tokens, in one statement."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from api.gateway import exact_checks, records
from api.gateway.database import Database
from api.gateway.gateway import Gateway
from api.gateway.limiter import Limiter
from api.gateway.models import Bucket
from api.gateway.rate_limits import Policy
from api.v1.operations import TABLE
from apikeys.keys import keys
from apikeys.models import ApiKey
from benchmarks.unlimited import UNLIMITED
from tests import factories
from tests.api.calling import Caller, Reply
from tests.apikeys import world
from tests.waiting import eventually

# So slow that nothing comes back while a test runs.
TWO, NONE = Policy("two", 0.001, 2), Policy("one", 0.001, 1)


@pytest.fixture
def database() -> Iterator[Database]:
    database = Database()
    yield database
    database.close()


def asked(database: Database, key_id: str, second: Policy = TWO) -> list[str]:
    """Ask once; return the buckets of which a token was taken, by what the answer says."""
    limiter = Limiter(database)
    limits = ("first", TWO), ("second", second)
    record, taken = exact_checks.ask(database, limiter, key_id, *limits)
    assert (record.key_id if record else "") in (key_id, "")
    assert all(state.admitted for state in taken.values())
    return list(taken)


def test_it_returns_the_record_and_takes_one_of_each(database):
    key, _ = world.a_key()
    assert asked(database, key.public_id) == ["first", "second"]
    assert asked(database, key.public_id) == ["first", "second"]
    assert asked(database, key.public_id) == []


def test_of_the_second_only_where_the_first_has_one(database):
    key, _ = world.a_key()
    assert asked(database, key.public_id, NONE) == ["first", "second"]
    assert asked(database, key.public_id, NONE) == ["first"]
    Bucket.objects.filter(name="second").delete()
    assert asked(database, key.public_id, NONE) == []
    assert not Bucket.objects.filter(name="second")


def test_a_key_that_is_gone_has_no_record(database):
    assert asked(database, "svc_test_AAAAAAAAAAAAAAAA") == []


@pytest.fixture
def warm() -> Iterator[tuple[Caller, ApiKey, str]]:
    """A gateway that has seen the key before, and limits nothing."""
    key, plain = world.a_key(scopes=("payouts:write", "balances:read"))
    gateway = Gateway(TABLE, UNLIMITED)
    gateway.open()
    api = Caller(gateway)
    eventually(lambda: api.get("/sandbox/v1/me", plain).at_once)
    yield api, key, plain
    gateway.close()


def post(api: Caller, plain: str, **more: Any) -> Reply:
    """Ask for a payout that says nothing, and so comes as far as its body."""
    given = {"CONTENT_TYPE": "application/json", "HTTP_IDEMPOTENCY_KEY": "not-kept", **more}
    return api.call("POST", "/sandbox/v1/payouts", plain, body=b"{}", **given)


def statements(api: Caller, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list to which each statement of this thread's calls is added."""
    rows, here, found = api.gateway.database.rows, threading.get_ident(), list[str]()

    def noted(statement: str, *values: object) -> object:
        if threading.get_ident() == here:
            found.append(statement)
        return rows(statement, *values)

    monkeypatch.setattr(api.gateway.database, "rows", noted)
    return found


def test_a_financial_call_waits_once_for_its_record_and_its_tokens(warm, monkeypatch):
    api, _, plain = warm
    found = statements(api, monkeypatch)
    assert post(api, plain).status == 422
    assert found == [exact_checks._ASK]


@pytest.mark.parametrize(
    "more", [{"HTTP_SERVICE_SIGNATURE": "t=1,n=12345678,v1=" + "0" * 64}, {"path": "wrong"}]
)
def test_what_memory_would_refuse_spends_no_token_of_money(warm, monkeypatch, more):
    api, _, plain = warm
    found = statements(api, monkeypatch)
    wrong = more.pop("path", "")
    reply = post(api, f"{plain[:-7]}0000000" if wrong else plain, **more)
    assert reply.status == 401
    assert exact_checks._ASK not in found
    # A typing mistake is not even looked up.
    assert (records._READ in found) is not bool(wrong)


def test_what_memory_believes_is_not_what_decides(warm, monkeypatch):
    api, key, plain = warm
    before = api.gateway.records.find_now(key.public_id)
    # As if the notice of the change had not arrived yet.
    monkeypatch.setattr(api.gateway.records, "known", lambda _: before)
    keys.revoke(key, reason="lost", by=factories.owner_of(key.business))
    reply = post(api, plain)
    assert (reply.status, reply.json["reason"]) == (401, "revoked")
