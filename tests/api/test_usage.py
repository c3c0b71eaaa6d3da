"""GET /usage: every call of an authenticated key counts once, on its day, for its operation."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import OperationalError, connection

from api import retention
from api.models import UsageCount
from api.request_log_writer import WRITER
from apikeys.lifecycle import Environment
from console.accounts.models import Business
from console.core import clock
from tests.apikeys import world

USAGE = "/sandbox/v1/usage"
SCOPES = ("balances:read", "usage:read")


@pytest.fixture
def plain():
    return world.a_key(scopes=SCOPES)[1]


@pytest.fixture
def _noon():
    """Noon, so that no test runs past midnight."""
    noon = datetime.combine(clock.now().astimezone(UTC).date(), datetime.min.time(), UTC)
    with time_machine.travel(noon + timedelta(hours=12), tick=False):
        yield


def counted(api, plain, path=USAGE, query=""):
    """Return (operation, calls, errors) as in the API, newest first."""
    WRITER.flush()
    data = api.get(path, plain, query).json["data"]
    return [(one["operation"], one["calls"], one["errors"]) for one in data]


@pytest.mark.usefixtures("_noon")
def test_calls_and_errors_are_counted_by_operation(api, plain):
    for query in ("", "limit=0", ""):
        api.get("/sandbox/v1/balances", plain, query)
        WRITER.flush()
    api.get("/sandbox/v1/me", plain)
    api.get("/sandbox/v1/payouts", plain)

    assert sorted(counted(api, plain)) == [
        ("balances.list", 3, 1),
        ("me.read", 1, 0),
        ("payouts.list", 1, 1),
    ]
    # The call that read them counts too, after its response.
    assert ("usage.list", 1, 0) in counted(api, plain)


def test_each_day_has_its_own_count(api, plain):
    days = []
    for later in range(3):
        with time_machine.travel(clock.now() + timedelta(days=later), tick=False):
            days.append(clock.now().astimezone(UTC).date().isoformat())
            api.get("/sandbox/v1/me", plain)
            WRITER.flush()

    # Read on a later day, whose own count comes first.
    with time_machine.travel(clock.now() + timedelta(days=5), tick=False):
        first = api.get(USAGE, plain, "limit=2").json
        rest = api.get(USAGE, plain, f"limit=2&cursor={first['next_cursor']}").json

    assert [one["day"] for one in first["data"] + rest["data"]] == days[::-1]
    assert (first["has_more"], rest["has_more"]) == (True, False)


def test_what_no_key_of_the_business_called_is_not_counted(api, plain):
    wrong = plain.partition(":")[0] + ":" + "A" * 49
    api.get("/sandbox/v1/me", wrong)
    api.get("/sandbox/v1/me")
    api.get("/sandbox/v1/nothing", plain)
    api.get("/sandbox/v1/me", world.a_key(scopes=SCOPES)[1])

    assert counted(api, plain) == []


def test_live_is_counted_apart_and_needs_no_provider(api):
    grant = world.a_grant(environment=Environment.LIVE)
    _, live = world.a_key(grant, scopes=SCOPES)
    api.get("/v1/me", live)

    assert counted(api, live, "/v1/usage") == [("me.read", 1, 0)]
    assert UsageCount.objects.filter(environment="sandbox").count() == 0


def test_what_could_not_be_written_is_kept_and_counted_once(api, plain):
    def away(execute, sql, *more):
        if "api_usagecount" in sql:
            raise OperationalError("away")
        return execute(sql, *more)

    api.get("/sandbox/v1/me", plain)
    with connection.execute_wrapper(away), pytest.raises(OperationalError):
        WRITER.flush()
    assert not UsageCount.objects.exists()

    assert counted(api, plain) == [("me.read", 1, 0)]


@pytest.mark.usefixtures("_noon")
def test_days_are_counted_for_four_hundred_days_and_then_forgotten(api, plain):
    today = clock.now()
    kept, gone = today - retention.KEEP_USAGE, today - retention.KEEP_USAGE - timedelta(1)
    business = Business.objects.get()
    UsageCount.objects.bulk_create(
        UsageCount(
            business=business, environment="sandbox", operation=name, day=then.date(), calls=1,
            errors=0, created_at=then,
        )
        for name, then in (("me.read", kept), ("balances.list", gone))
    )  # fmt: skip

    retention.forget_old_usage()

    assert counted(api, plain) == [("me.read", 1, 0)]
