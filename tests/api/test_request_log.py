"""The request log: every request once, without secrets, and without delaying requests."""

from datetime import UTC, timedelta

import pytest
import time_machine
from django.db import OperationalError, ProgrammingError, connection

from api import middleware
from api.request_log_writer import WRITER, LoggedCall, RequestLogWriter, shown
from apikeys import logged_calls
from apikeys.models import ProductUse, RequestLog
from console.core import clock, day_partitions
from tests.apikeys import world
from tests.databases import as_owner


def logged(api):
    WRITER.flush()
    return list(RequestLog.objects.order_by("pk").filter(ip=api.ip))


def test_every_request_is_written_with_how_it_was_answered(api):
    key, plain = world.a_key()
    good = api.get("/sandbox/v1/me", plain, HTTP_USER_AGENT="curl/8")
    bad = api.get("/v1/me", plain)

    rows = logged(api)

    assert [(row.request_id, row.status, row.code) for row in rows] == [
        (good.headers["X-Request-Id"], 200, ""),
        (bad.headers["X-Request-Id"], 403, "ENVIRONMENT_MISMATCH"),
    ]
    assert rows[0].business == key.business
    assert rows[0].key_id == key.public_id
    assert (rows[0].environment, rows[0].path, rows[0].agent) == ("sandbox", "/me", "curl/8")
    assert rows[0].microseconds > 0
    assert rows[1].environment == "live"


def test_a_secret_never_reaches_it(api):
    _, plain = world.a_key()
    secret = plain.partition(":")[2]
    api.get(f"/v1/{plain}", plain, query=f"key={plain}", HTTP_USER_AGENT=f"tool {plain}")
    api.get(f"/v1/{secret}", plain, HTTP_USER_AGENT=f"tool/{secret}")
    api.get("/sandbox/v1/me", plain, HTTP_SERVICE_VERSION=plain)

    for row in logged(api):
        assert secret not in " ".join(map(str, vars(row).values()))
    assert RequestLog.objects.count() == 3


def test_odd_characters_and_endless_words_do_not_break_it(api):
    api.get("/v1/\x00é" + "x/" * 450, HTTP_USER_AGENT="\x00\r\n" + "y " * 450)
    api.call("M" * 50, "/v1/me")

    rows = logged(api)
    assert len(rows) == 2
    assert rows[0].path.startswith("/…/…/")
    assert len(rows[0].agent) == 120


def test_of_an_address_that_no_operation_answers_only_known_words_are_kept(api):
    api.get("/sandbox/v1/correct-horse-battery-staple")
    api.get("/v1/customers/a-secret/balances")

    assert [row.path for row in logged(api)] == ["/…", "/customers/…/balances"]


def test_the_last_use_of_a_key_is_learned_from_it(api):
    key, plain = world.a_key()
    api.get("/sandbox/v1/me", plain)
    WRITER.flush()

    key.refresh_from_db()
    assert key.last_used_at is not None
    assert key.last_used_ip == api.ip


def test_it_keeps_what_it_could_not_write_and_counts_what_it_drops(api, monkeypatch):
    monkeypatch.setattr("api.request_log_writer._MOST_WAITING", 3)
    writer = RequestLogWriter()
    monkeypatch.setattr(middleware, "WRITER", writer)
    for _ in range(5):
        api.get("/v1/nothing")

    def away(*_):
        raise OperationalError("away")

    with connection.execute_wrapper(away), pytest.raises(OperationalError):
        writer.flush()
    assert (len(writer._waiting), writer.dropped) == (3, 2)

    writer.flush()
    assert RequestLog.objects.count() == 3


def test_a_flood_without_a_key_has_few_rows_and_costs_nobody_else_one(api, monkeypatch):
    _, plain = world.a_key()
    writer = RequestLogWriter()
    monkeypatch.setattr(middleware, "WRITER", writer)
    with time_machine.travel(clock.now(), tick=False) as travel:
        for _ in range(100):
            api.get("/v1/nothing")
        mine = api.get("/sandbox/v1/me", plain)
        theirs = api.get("/v1/nothing", REMOTE_ADDR="10.200.0.1")
        travel.shift(60)
        later = api.get("/v1/nothing")
    writer.flush()

    assert (RequestLog.objects.count(), writer.unkept) == (33, 70)
    last = RequestLog.objects.order_by("-pk").values_list("request_id", flat=True)[:3]
    assert [*last] == [one.headers["X-Request-Id"] for one in (later, theirs, mine)]


def test_the_addresses_of_one_household_share_their_rows(api, monkeypatch):
    writer = RequestLogWriter()
    monkeypatch.setattr(middleware, "WRITER", writer)
    with time_machine.travel(clock.now(), tick=False):
        for number in range(40):
            api.get("/v1/nothing", REMOTE_ADDR=f"2001:db8::{number:x}")

    assert (len(writer._waiting), writer.unkept) == (30, 10)


def test_many_addresses_have_no_more_rows_together_and_cost_no_key_one(api, monkeypatch):
    _, plain = world.a_key()
    writer = RequestLogWriter()
    monkeypatch.setattr(middleware, "WRITER", writer)
    monkeypatch.setattr("api.request_log_writer._MOST_UNPROVED_OF_ALL", 10)
    with time_machine.travel(clock.now(), tick=False) as travel:
        for number in range(15):
            api.get("/v1/nothing", REMOTE_ADDR=f"2001:db8:0:{number:x}::1")
        assert api.get("/sandbox/v1/me", plain).status == 200
        assert (len(writer._waiting), writer.unkept) == (11, 5)
        travel.shift(60)
        api.get("/v1/nothing", REMOTE_ADDR="2001:db8:0:99::1")

    assert (len(writer._waiting), writer.unkept) == (12, 5)


def test_a_row_that_cannot_be_written_holds_up_no_other(api):
    api.get("/v1/nothing")
    WRITER.flush()
    dropped = WRITER.dropped
    WRITER._waiting.append(LoggedCall(RequestLog(at=clock.now(), status=99_999), None, None))
    WRITER.flush()
    api.get("/v1/nothing")
    WRITER.flush()

    assert WRITER.dropped == dropped + 1
    assert RequestLog.objects.count() == 2


def test_what_is_shown_is_short_printable_and_hides_what_may_be_a_secret():
    assert shown("a\x00b", 10) == "a?b"
    assert shown("abc", 2) == "ab"
    for before in (":", "/", ""):
        assert "secret" not in shown(f"svc_test_x{before}secretsecretsecretsecret", 200)


def partition_of(days_ago):
    day = clock.now().astimezone(UTC).date() - timedelta(days=days_ago)
    return day, f"apikeys_requestlog_{day:%Y%m%d}"


def plant(days_ago):
    """Create the partition of a past day, as the owner had created it then."""
    day, name = partition_of(days_ago)
    with as_owner() as owner:
        owner.execute(
            f"CREATE TABLE {name} PARTITION OF apikeys_requestlog"
            f" FOR VALUES FROM ('{day} 00:00+00') TO ('{day + timedelta(days=1)} 00:00+00')"
        )


def test_a_day_is_dropped_with_its_rows_once_it_is_old(api):
    plant(91)
    api.get("/v1/nothing")
    logged(api)
    RequestLog.objects.update(at=clock.now() - timedelta(days=91))
    api.get("/v1/nothing")
    logged(api)

    logged_calls.keep_days()
    logged_calls.keep_days()

    assert RequestLog.objects.count() == 1
    days = day_partitions.partitions("apikeys_requestlog")
    assert partition_of(91)[0] not in days
    assert len(days) >= day_partitions.AHEAD + 1


def test_a_day_that_nobody_made_is_made_by_the_writer(api):
    for day in day_partitions.partitions("apikeys_requestlog"):
        with as_owner() as owner:
            owner.execute(f"DROP TABLE apikeys_requestlog_{day:%Y%m%d}")
    api.get("/v1/nothing")

    assert len(logged(api)) == 1
    logged_calls.keep_days()


@pytest.mark.parametrize(
    ("table", "days"), [("apikeys_requestlog", 15), ("accounts_user", 0), ("audit_entry", -400)]
)
def test_the_site_makes_and_drops_nothing_else(table, days):
    with pytest.raises(ProgrammingError, match="no table of days"), connection.cursor() as cursor:
        cursor.execute(
            "SELECT console_day_partition(%s, (now() AT TIME ZONE 'UTC')::date + %s)", [table, days]
        )


def test_a_day_that_is_kept_cannot_be_dropped(api):
    api.get("/v1/nothing")
    logged(api)
    with connection.cursor() as cursor:
        cursor.execute(day_partitions.SETTLE, ["apikeys_requestlog", partition_of(0)[0]])
        assert cursor.fetchone() == ("made",)
    with pytest.raises(ProgrammingError, match="must be owner"), connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE {partition_of(0)[1]}")
    assert RequestLog.objects.count() == 1


def test_the_last_use_of_each_product_is_learned_too(api):
    key, plain = world.a_key()
    api.get("/sandbox/v1/me", plain)
    api.get("/sandbox/v1/balances", plain)
    api.get("/v1/me", plain)
    WRITER.flush()

    (use,) = ProductUse.objects.filter(key=key)
    assert use.product == "balances"


def test_a_refusal_keeps_its_reason_and_where_its_mistakes_are_but_nothing_that_was_sent(api):
    _, plain = world.a_key(scopes=("payouts:write", "payouts:read"))
    account = {"account_name": "Ada Obi", "country": "NG", "iban": "private-value"}
    body = {
        "amount": "12.345",
        "currency": "NGN",
        "bank_account": account,
        "Ada Obi": 1,
        "metadata": {"a private key": 1},
    }
    refused = api.post("/sandbox/v1/payouts", plain, body, HTTP_IDEMPOTENCY_KEY="order-10001")
    unknown = api.get("/sandbox/v1/payouts", plain, query="4111111111111111=1&cursor=x")
    away = api.post(
        "/v1/payouts", world.a_key(scopes=("payouts:write",))[1], {}, HTTP_IDEMPOTENCY_KEY="order-2"
    )

    rows = {row.request_id: row for row in logged(api)}
    row = rows[refused.headers["X-Request-Id"]]
    assert row.code == "VALIDATION_ERROR"
    assert {pointer for pointer, _code in row.faults} >= {
        "/…",
        "/metadata/…",
        "/bank_account/iban",
    }
    assert ["/…", "unknown_parameter"] in rows[unknown.headers["X-Request-Id"]].faults
    assert rows[away.headers["X-Request-Id"]].code == "ENVIRONMENT_MISMATCH"
    for row in rows.values():
        kept = str(vars(row))
        assert not any(said in kept for said in ("Ada", "private", "12.345", "4111"))


def test_a_call_is_kept_with_the_object_that_it_made_or_named(api):
    _, plain = world.a_key(scopes=("payouts:write", "payouts:read"))
    account = {"account_name": "Ada Obi", "country": "GB", "iban": "GB33BUKB20201555555555"}
    body = {"amount": "10.00", "currency": "GBP", "bank_account": account}
    made = api.post("/sandbox/v1/payouts", plain, body, HTTP_IDEMPOTENCY_KEY="order-10001").json
    api.get(f"/sandbox/v1/payouts/{made['id']}", plain)
    api.get("/sandbox/v1/payouts/not-one-of-ours", plain)

    assert [row.object_id for row in logged(api)] == [made["id"], made["id"], ""]
