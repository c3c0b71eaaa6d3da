"""Every error code that can be reached by a call, each with one status.

If a code has several statuses, the condition determines which: an unreadable request or a wrong
method.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest

from api import rate_limits
from api.problems import CODES, RETRY, ApiProblem
from api.v1.balances import BalanceSerializer
from api.v1.router import ROUTER
from api.viewsets import ResourceViewSet, operation
from apikeys.keys import keys
from apikeys.lifecycle import Environment
from apikeys.models import Grant
from benchmarks.unlimited import UNLIMITED
from console.accounts.models import Business
from tests import factories
from tests.api import asking, signing
from tests.api.asking import Client, a_client
from tests.api.calling import Caller, Reply, serving
from tests.api.paying import PAYOUTS, a_payer, body_of, pay
from tests.api.table.test_idempotency import KEY, held, lock_number
from tests.api.unrefilled_limits import UNREFILLED
from tests.apikeys import world

ME = "/sandbox/v1/me"
WRONG = "svc_test_" + "A" * 16 + ":" + "A" * 49


class Broken(ResourceViewSet):
    product = resource = "balances"
    serializer_class = BalanceSerializer

    @operation()
    def list(self, request):
        return self.respond({"x": 1 // 0})


class Away(Broken):
    @operation()
    def list(self, request):
        raise ApiProblem("PROVIDER_UNAVAILABLE", headers=[RETRY])


VIEWS = {prefix: view for prefix, view, _ in ROUTER.registry} | {"broken": Broken, "away": Away}


@pytest.fixture
def api(monkeypatch):
    """Limit failed authentications and little else."""
    limits = replace(UNREFILLED, sandbox=UNLIMITED.sandbox)
    monkeypatch.setattr(rate_limits, "RATE_LIMITS", limits)
    with serving(VIEWS) as api:
        yield api


def of_a_revoked_key(api: Caller) -> Reply:
    key, plain = world.a_key()
    keys.revoke(key, reason="Replaced.", by=factories.owner_of(key.business))
    return api.get(ME, plain)


def of_a_signing_business(**how):
    def call(api: Caller) -> Reply:
        grant = world.a_grant()
        factories.change(Grant.objects.filter(pk=grant.pk), requires_signatures=True)
        _, plain = world.a_key(grant)
        return signing.get(api, plain, ME, **how) if how else api.get(ME, plain)

    return call


def of_a_suspended_business(api: Caller) -> Reply:
    key, plain = world.a_key()
    factories.change(Business.objects.filter(pk=key.business.pk), status="suspended")
    return api.get(ME, plain)


def until_limited(api: Caller) -> Reply:
    replies = (api.get(ME, WRONG) for _ in range(100))
    return next(reply for reply in replies if reply.status == 429)


def again_otherwise(api: Caller) -> Reply:
    plain = a_payer()
    pay(api, plain, "payout-0001")
    return pay(api, plain, "payout-0001", body_of("1.00"))


def while_another_runs(api: Caller) -> Reply:
    plain = a_payer()
    with held(lock_number(plain)):
        return pay(api, plain, KEY)


def of_an_empty_stock(api: Caller) -> Reply:
    client, row = Client(api, a_client()), asking.ROWS["POST", "/inventory/{id}/reserve"]
    return client.ask(row, client.path_of(row), {"quantity": 1_000})


def with_a_used_quote(api: Caller) -> Reply:
    client = Client(api, a_client())
    row = asking.ROWS["POST", "/conversions"]
    body = client.body_of(row)
    client.ask(row, row.path, body)
    return client.ask(row, row.path, body)


def in_live(api: Caller) -> Reply:
    _, plain = world.a_key(world.a_grant(environment=Environment.LIVE), scopes=("payouts:write",))
    return api.post("/v1/payouts", plain, body_of(), HTTP_IDEMPOTENCY_KEY=KEY)


CASES: dict[tuple[str, int], Callable[[Caller], Reply]] = {
    ("UNAUTHENTICATED", 401): lambda api: api.get(ME),
    ("INVALID_CREDENTIALS", 401): lambda api: api.get(ME, WRONG),
    ("CREDENTIAL_EXPIRED", 401): of_a_revoked_key,
    ("SIGNATURE_INVALID", 401): of_a_signing_business(),
    ("REPLAY_DETECTED", 401): of_a_signing_business(at=1),
    ("COMPLIANCE_BLOCKED", 403): of_a_suspended_business,
    ("IP_NOT_ALLOWED", 403): lambda api: api.get(
        ME, world.a_key(world.a_grant(networks=("192.0.2.0/24",)))[1]
    ),
    ("ENVIRONMENT_MISMATCH", 403): lambda api: api.get("/v1/me", world.a_key()[1]),
    ("PRODUCT_NOT_ENABLED", 403): lambda api: api.get(
        PAYOUTS, world.a_key(world.a_grant(products=("balances",)))[1]
    ),
    ("FORBIDDEN_SCOPE", 403): lambda api: api.get(PAYOUTS, world.a_key()[1]),
    ("RATE_LIMITED", 429): until_limited,
    ("IDEMPOTENCY_KEY_REQUIRED", 400): lambda api: api.post(PAYOUTS, a_payer(), {}),
    ("IDEMPOTENCY_KEY_REUSED", 409): again_otherwise,
    ("IDEMPOTENT_REQUEST_IN_PROGRESS", 409): while_another_runs,
    ("VALIDATION_ERROR", 422): lambda api: pay(api, a_payer(), "payout-0001", {}),
    ("VALIDATION_ERROR", 400): lambda api: api.get(
        ME, world.a_key()[1], HTTP_SERVICE_VERSION="1999-01-01"
    ),
    ("VALIDATION_ERROR", 413): lambda api: api.get(ME, CONTENT_LENGTH="999999"),
    ("VALIDATION_ERROR", 415): lambda api: pay(
        api, a_payer(), "payout-0001", CONTENT_TYPE="text/plain"
    ),
    ("NOT_FOUND", 404): lambda api: api.get(f"{PAYOUTS}/pay_unknown", a_payer()),
    ("NOT_FOUND", 405): lambda api: api.call("DELETE", ME),
    ("INSUFFICIENT_BALANCE", 422): lambda api: pay(
        api, a_payer(), "payout-0001", body_of("4000000.00")
    ),
    ("STOCK_CONFLICT", 409): of_an_empty_stock,
    ("QUOTE_EXPIRED", 422): with_a_used_quote,
    ("NO_PROVIDER_ENABLED", 422): in_live,
    ("PROVIDER_UNAVAILABLE", 503): lambda api: api.get("/sandbox/v1/away", world.a_key()[1]),
    ("INTERNAL_ERROR", 500): lambda api: api.get("/sandbox/v1/broken", world.a_key()[1]),
}  # fmt: skip


@pytest.mark.parametrize(("code", "status"), CASES, ids=lambda one: str(one))
def test_the_code_is_reached_with_its_status(api, code, status):
    reply = CASES[code, status](api)

    assert (reply.code, reply.status) == (code, status)
    assert reply.json["status"] == status
    assert reply.json["retryable"] is CODES[code].retryable
    assert ("Retry-After" in reply.headers) == CODES[code].retryable or code == "INTERNAL_ERROR"


def test_no_code_is_left_out():
    assert {code for code, _ in CASES} == CODES.keys()
    # One status per condition; only unreadable requests and wrong methods have their own.
    more = {(code, status) for code, status in CASES if status != CODES[code].status}
    assert more == {
        ("VALIDATION_ERROR", 400),
        ("VALIDATION_ERROR", 413),
        ("VALIDATION_ERROR", 415),
        ("NOT_FOUND", 405),
    }
