"""The order of checks, and the content of each error."""

from datetime import timedelta

import pytest
import time_machine
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from api.rate_limits import RATE_LIMITS
from apikeys import secrets
from apikeys.grants import grants
from apikeys.keys import keys
from apikeys.lifecycle import Environment, GrantStatus
from console.accounts.actors import SYSTEM
from console.accounts.models import Business
from console.accounts.roles import Role
from console.audit import log as audit
from console.core import clock
from tests import factories
from tests.apikeys import world

ME = "/sandbox/v1/me"


def mistyped(plain: str) -> str:
    """Return a credential with one wrong character."""
    return plain[:30] + ("A" if plain[30] != "A" else "B") + plain[31:]


@pytest.mark.parametrize(
    ("around", "said"),
    [
        ('"{}"', 'character "'), ("'{}'", "character '"), ("<{}>", "character <"),
        ("Bearer {}", "the blank"), ("{}=", "character ="), ("{},", "character ,"),
        ("\u201c{}\u201d", "not ASCII"), ("{}", "copied the whole key"),
    ],
)  # fmt: skip
def test_a_key_with_something_around_it_is_told_what_to_leave_out(api, around, said):
    reply = api.get(ME, around.format("svc_test_abcdefgh:secret"))
    assert reply.code == "INVALID_CREDENTIALS"
    assert said in reply.json["detail"]
    assert "secret:" not in reply.json["detail"]


def test_every_answer_is_a_whole_problem(api):
    reply = api.get(ME)

    assert reply.headers["Content-Type"] == "application/problem+json"
    assert reply.json == {
        "type": "http://localhost:8000/docs/problems/unauthenticated",
        "title": "No credentials",
        "status": 401,
        "detail": "Send the header Authorization: Bearer <key_id>:<secret>.",
        "instance": f"urn:request:{reply.headers['X-Request-Id']}",
        "code": "UNAUTHENTICATED",
        "request_id": reply.headers["X-Request-Id"],
        "retryable": False,
        "doc": "http://localhost:8000/docs/problems/unauthenticated",
    }


def test_every_answer_carries_the_same_headers(api):
    _, plain = world.a_key()

    for reply in (api.get(ME), api.get(ME, plain), api.get("/v1/nothing"), api.call("PUT", ME)):
        assert reply.headers["X-Request-Id"].startswith("req_")
        assert reply.headers["Service-Version"] == "2026-08-29"
        assert int(reply.headers["Content-Length"]) == len(reply.body)


def test_without_a_bearer_key_it_asks_for_one(api):
    for value in ["", "Basic abc", "Bearer", "Bearer ", "bearer", "Token x"]:
        reply = api.get(ME, HTTP_AUTHORIZATION=value)

        assert (reply.status, reply.code) == (401, "UNAUTHENTICATED")
        assert reply.headers["WWW-Authenticate"] == 'Bearer realm="api"'


def test_a_key_in_the_query_string_is_never_read(api):
    _, plain = world.a_key()

    assert api.get(ME, query=f"key={plain}").code == "UNAUTHENTICATED"


def test_malformed_unknown_and_wrong_are_told_alike(api):
    key, plain = world.a_key()
    body = "A" * 43
    wrong = f"{key.public_id}:{body}{secrets.checksum(f'{key.public_id}:{body}')}"
    unknown = secrets.mint(Environment.SANDBOX).plain
    sent = ("nonsense", plain[:-1] + "~", unknown, wrong, mistyped(plain))

    replies = [api.get(ME, one) for one in sent]

    for reply in replies:
        assert (reply.status, reply.code) == (401, "INVALID_CREDENTIALS")
        assert 'error="invalid_token"' in reply.headers["WWW-Authenticate"]
    stable = [
        {name: value for name, value in r.json.items() if name not in ("request_id", "instance")}
        for r in replies
    ]
    assert all(one == stable[0] for one in stable)


def test_a_typing_mistake_asks_for_no_key(api):
    unknown = secrets.mint(Environment.SANDBOX).plain

    def asked(plain):
        with CaptureQueriesContext(connection) as queries:
            assert api.get(ME, plain).code == "INVALID_CREDENTIALS"
        return sum("apikeys_apikey" in query["sql"] for query in queries)

    assert (asked(mistyped(unknown)), asked(unknown)) == (0, 1)


def test_an_expired_key_says_so_whether_or_not_the_clock_job_ran(api):
    key, plain = world.a_key(days=1)

    with time_machine.travel(clock.now() + timedelta(days=2)):
        reply = api.get(ME, plain)
        assert (reply.code, reply.json["reason"]) == ("CREDENTIAL_EXPIRED", "expired")
        keys.expire(key, by=SYSTEM)
    reply = api.get(ME, plain)
    assert (reply.code, reply.json["reason"]) == ("CREDENTIAL_EXPIRED", "expired")


def test_only_the_right_secret_learns_that_a_key_has_ended(api):
    key, plain = world.a_key()
    keys.revoke(key, reason="Replaced.", by=factories.owner_of(key.business))
    body = "B" * 43

    wrong = f"{key.public_id}:{body}{secrets.checksum(f'{key.public_id}:{body}')}"

    assert api.get(ME, wrong).code == "INVALID_CREDENTIALS"
    reply = api.get(ME, plain)
    assert (reply.code, reply.json["reason"]) == ("CREDENTIAL_EXPIRED", "revoked")


def test_a_sandbox_key_at_the_live_address_is_told_both(api):
    key, plain = world.a_key()

    reply = api.get("/v1/me", plain)

    assert (reply.status, reply.code) == (403, "ENVIRONMENT_MISMATCH")
    assert (reply.json["environment"], reply.json["key_environment"]) == ("live", "sandbox")
    assert reply.json["key_id"] == key.public_id


def test_a_live_key_at_the_sandbox_address_is_told_both(api):
    _, plain = world.a_key(world.a_grant(environment=Environment.LIVE))

    reply = api.get(ME, plain)

    assert (reply.status, reply.code) == (403, "ENVIRONMENT_MISMATCH")
    assert api.get("/v1/me", plain).status == 200


def test_a_missing_scope_is_named(api):
    _, plain = world.a_key(scopes=("webhooks:read",))

    reply = api.get(ME, plain)

    assert (reply.status, reply.code) == (403, "FORBIDDEN_SCOPE")
    assert reply.json["required_scope"] == "balances:read"
    assert 'error="insufficient_scope", scope="balances:read"' in reply.headers["WWW-Authenticate"]


def test_a_product_that_the_grant_lost_is_named_before_the_scope(api):
    grant = world.a_grant()
    _, plain = world.a_key(grant)
    grant.products = ["webhooks"]
    with transaction.atomic():
        grant.save()
        audit.record("grant.products_changed", grant, by=SYSTEM)

    reply = api.get(ME, plain)

    assert (reply.status, reply.code) == (403, "PRODUCT_NOT_ENABLED")
    assert reply.json["product"] == "balances"


def test_a_suspended_grant_gives_its_reason(api):
    grant = world.a_grant()
    _, plain = world.a_key(grant)
    grants.suspend(grant, reason="Odd traffic", by=factories.one_of_staff(Role.ACCOUNT_MANAGER))

    reply = api.get(ME, plain)

    assert (reply.code, reply.json["reason"]) == ("PRODUCT_NOT_ENABLED", "suspended")


def test_a_closed_grant_ends_its_keys(api):
    grant = world.a_grant()
    _, plain = world.a_key(grant)
    with transaction.atomic():
        grants.move(grant, GrantStatus.CLOSED, by=SYSTEM)

    reply = api.get(ME, plain)

    assert (reply.code, reply.json["reason"]) == ("CREDENTIAL_EXPIRED", "revoked")


def test_a_business_that_compliance_suspended_learns_no_more_than_that(api):
    grant = world.a_grant()
    _, plain = world.a_key(grant)
    factories.change(Business.objects.filter(pk=grant.business_id), status="suspended")

    reply = api.get(ME, plain)

    assert (reply.code, reply.json["reason"]) == ("COMPLIANCE_BLOCKED", "business_suspended")
    assert reply.json["detail"] == "We cannot process this request."


def test_what_is_not_there_is_a_problem_too(api):
    for path in ["/v1", "/v1/", "/v1/nothing", "//v1/me", "/sandbox/v1/me/", "/v1/%00"]:
        reply = api.get(path)

        assert (reply.status, reply.code) == (404, "NOT_FOUND")


def test_a_wrong_method_says_which_are_right(api):
    for method in ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PURGE"]:
        reply = api.call(method, ME)

        assert (reply.status, reply.code) == (405, "NOT_FOUND")
        assert reply.headers["Allow"] == "GET, HEAD"


def test_an_answer_to_head_has_no_body(api):
    _, plain = world.a_key()
    # These differ from call to call.
    own = {"X-Request-Id", "RateLimit"}
    for key, status in (("", 401), (plain, 200)):
        head, get = (api.call(method, ME, key) for method in ("HEAD", "GET"))

        assert (head.status, head.body, get.status) == (status, b"", status)
        assert head.headers.keys() == get.headers.keys()
        assert own >= {name for name in get.headers if head.headers[name] != get.headers[name]}


def test_head_is_refused_where_nothing_is_read(api):
    reply = api.call("HEAD", "/sandbox/v1/cards/crd_nobody/freeze")

    assert (reply.status, reply.body) == (405, b"")


def test_an_unknown_host_is_a_problem_too(api):
    for host in ["evil.example", "", "localhost:8000\r\nX: y", "[::1"]:
        reply = api.get(ME, HTTP_HOST=host)

        assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")


def test_a_body_is_measured_before_anything_reads_it(api):
    for length, status in [("262145", 413), ("99999999999999", 413), ("-1", 400), ("many", 400)]:
        assert api.get(ME, CONTENT_LENGTH=length).status == status


def test_an_endless_address_is_refused(api):
    assert api.get(ME, query="a" * 9000).status == 413


def test_an_unknown_version_is_answered_with_those_that_exist(api):
    _, plain = world.a_key()

    reply = api.get(ME, plain, HTTP_SERVICE_VERSION="2020-01-01")

    assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")
    assert reply.json["errors"][0]["allowed"] == ["2026-08-29"]
    assert api.get(ME, plain, HTTP_SERVICE_VERSION="2026-08-29").status == 200


def test_an_address_that_failed_too_often_waits(unrefilled_api):
    replies = [unrefilled_api.get(ME) for _ in range(RATE_LIMITS.auth_failures.burst + 1)]

    assert [r.status for r in replies] == [401] * RATE_LIMITS.auth_failures.burst + [429]
    assert replies[-1].json["violated-policies"] == ["auth-failures"]
    assert int(replies[-1].headers["Retry-After"]) >= 1
    # Further requests from there are not even examined.
    _, plain = world.a_key()
    assert unrefilled_api.get(ME, plain).status == 429


def test_one_failure_stops_no_host_whose_clock_is_behind(api):
    assert api.get(ME).status == 401
    _, plain = world.a_key()

    with time_machine.travel(clock.now() - timedelta(hours=1)):
        assert api.get(ME, plain).status == 200


def test_a_client_that_keeps_asking_for_what_it_may_not_have_waits(unrefilled_api):
    _, plain = world.a_key(scopes=("webhooks:read",))

    codes = [unrefilled_api.get(ME, plain).code for _ in range(RATE_LIMITS.refusals.burst + 3)]

    burst = RATE_LIMITS.refusals.burst
    assert codes == ["FORBIDDEN_SCOPE"] * burst + ["RATE_LIMITED"] * 3


def test_the_first_check_that_fails_answers(api):
    key, plain = world.a_key(scopes=("webhooks:read",))

    # Wrong environment, missing scope, unknown version: the environment comes first.
    assert api.get("/v1/me", plain, HTTP_SERVICE_VERSION="x").code == "ENVIRONMENT_MISMATCH"
    # Missing scope, unknown version: the scope.
    assert api.get(ME, plain, HTTP_SERVICE_VERSION="x").code == "FORBIDDEN_SCOPE"
    # No such route, no key: the route.
    assert api.get("/v1/nothing").code == "NOT_FOUND"
    # Too large, no such route: the size.
    assert api.get("/v1/nothing", CONTENT_LENGTH="999999").status == 413
    keys.revoke(key, reason="Replaced.", by=factories.owner_of(key.business))
    # Expired, wrong environment: the expiry.
    reply = api.get("/v1/me", plain)
    assert reply.code == "CREDENTIAL_EXPIRED"
