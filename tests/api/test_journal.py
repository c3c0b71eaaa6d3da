"""The request log: every request once, nothing secret, and nothing waits for it."""

from datetime import timedelta

import psycopg

from api.gateway import housekeeping
from api.gateway.database import Database
from api.gateway.request_log import RequestLogWriter, shown
from apikeys.models import RequestLog
from console.core import clock
from tests.apikeys import world


def logged(api):
    api.gateway.request_log.flush()
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
    api.get("/sandbox/v1/me", plain, HTTP_SERVICE_VERSION=plain)

    for row in logged(api):
        assert secret not in " ".join(map(str, vars(row).values()))
    assert RequestLog.objects.count() == 2


def test_odd_characters_and_endless_words_do_not_break_it(api):
    api.get("/v1/\x00\ud800é" + "x" * 900, HTTP_USER_AGENT="\x00\r\n" + "y" * 900)
    api.call("M" * 50, "/v1/me")

    rows = logged(api)
    assert len(rows) == 2
    assert rows[0].path.startswith("/???x")
    assert len(rows[0].agent) == 120


def test_the_last_use_of_a_key_is_learned_from_it(api):
    key, plain = world.a_key()
    api.get("/sandbox/v1/me", plain)
    api.gateway.request_log.flush()

    key.refresh_from_db()
    assert key.last_used_at is not None
    assert key.last_used_ip == api.ip


class Away(Database):
    def connect(self):
        raise psycopg.OperationalError("away")


def test_it_keeps_what_it_could_not_write_and_counts_what_it_drops(api, monkeypatch):
    monkeypatch.setattr("api.gateway.request_log._MOST_WAITING", 3)
    request_log = RequestLogWriter(Away())
    monkeypatch.setattr(api.gateway, "request_log", request_log)
    for _ in range(5):
        api.get("/v1/nothing")

    try:
        request_log.flush()
    except psycopg.OperationalError:
        kept = len(request_log._waiting)

    assert (kept, request_log.dropped) == (3, 2)
    request_log._database = Database()
    request_log.flush()
    assert RequestLog.objects.count() == 3
    request_log._database.close()


def test_a_row_that_cannot_be_written_holds_up_no_other(api):
    api.get("/v1/nothing")
    request_log = api.gateway.request_log
    request_log.flush()
    request_log._waiting.append((0, "not a row"))
    request_log.flush()
    api.get("/v1/nothing")
    request_log.flush()

    assert request_log.dropped >= 1
    assert RequestLog.objects.count() == 2


def test_what_is_shown_is_short_printable_and_hides_pairs():
    assert shown("a\x00b", 10) == "a?b"
    assert shown("abc", 2) == "ab"
    assert "secret" not in shown("svc_test_x:secretsecretsecretsecret", 200)


def test_old_requests_are_forgotten(api):
    api.get("/v1/nothing")
    logged(api)
    RequestLog.objects.update(at=clock.now() - timedelta(days=91))
    api.get("/v1/nothing")
    logged(api)

    housekeeping.forget_old_requests()

    assert RequestLog.objects.count() == 1
