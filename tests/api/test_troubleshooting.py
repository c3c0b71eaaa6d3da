"""The pages of the request log and the explanation of an error."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.urls import reverse

from api import authentication
from api.permissions import KEY_PERMISSIONS
from api.troubleshooting import explanation
from api.v1.router import OPERATIONS
from apikeys import logged_calls
from apikeys.keys import keys
from apikeys.lifecycle import OPENS, KeyStatus
from apikeys.logged_calls import LogFilters
from apikeys.models import ApiKey, Grant, RequestLog
from console.accounts.models import Business
from console.accounts.roles import Role
from console.core import clock, day_partitions
from tests import factories
from tests.api.calling import Caller
from tests.apikeys import world
from tests.databases import as_owner, go_past_triggers

ME = next(one for one in OPERATIONS if one.path == "/me")
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def key():
    return world.a_key()[0]


def called(key, number, *, minutes=0.0, **changes):
    values = {
        "at": clock.now() - timedelta(minutes=minutes),
        "request_id": f"req_{number:026}",
        "business": key.business,
        "key_id": key.public_id,
        "environment": "sandbox",
        "method": "GET",
        "path": "/me",
        "status": 200,
        "ip": "10.1.2.3",
        "microseconds": 900,
    }
    return RequestLog.objects.create(**{**values, **changes})


def at(name, business, *more, **query):
    return reverse(f"api:{name}", args=[business.public_id, *more])


def test_a_page_goes_on_where_the_one_before_it_ended(key):
    moment = clock.now()
    for number in range(logged_calls.PAGE + 20):
        called(key, number, at=moment)
    called(world.a_key()[0], 999)

    first = logged_calls.page(key.business, LogFilters())
    called(key, 500)
    second = logged_calls.page(key.business, LogFilters(), after=first.after)

    seen = [row.request_id for row in [*first.rows, *second.rows]]
    assert seen == [f"req_{number:026}" for number in reversed(range(logged_calls.PAGE + 20))]
    assert second.after == ""


def test_an_odd_place_begins_at_the_newest(key):
    called(key, 1)
    for after in ["", "x", "1", "1-", "-1", "9" * 30 + "-1", "٣-٣"]:
        assert len(logged_calls.page(key.business, LogFilters(), after=after).rows) in (0, 1)


def test_each_filter_narrows(key):
    called(key, 1)
    called(key, 2, status=403, code="FORBIDDEN_SCOPE", path="/balances")
    called(key, 3, status=503, code="PROVIDER_UNAVAILABLE", environment="live", ip="10.9.9.9")

    def found(**filters):
        page = logged_calls.page(key.business, LogFilters(**filters))
        return [int(row.request_id[4:]) for row in reversed(page.rows)]

    assert found() == [1, 2, 3]
    assert found(outcome="4xx") == [2]
    assert found(outcome="5xx", environment="live") == [3]
    assert found(code="FORBIDDEN_SCOPE") == found(endpoint="GET /balances") == [2]
    assert found(ip="10.9.9.9") == [3]
    assert found(key_id=key.public_id, endpoint="GET /me") == [1, 3]
    assert found(q="req_" + "1".zfill(26)) == [1]


def test_the_log_page(client, key):
    factories.signed_in(client, factories.a_member(key.business, Role.DEVELOPER))
    address = at("log", key.business)
    assert b"No calls yet" in client.get(address).content
    assert b"/sandbox/v1/me" in client.get(address).content

    called(key, 1)
    for number in (2, 3):
        called(key, number, status=403, code="FORBIDDEN_SCOPE", path="/balances")
    last_week = clock.now() - timedelta(days=8)
    with connection.cursor() as cursor:
        cursor.execute(day_partitions.SETTLE, [logged_calls.TABLE, last_week.date()])
    called(key, 4, at=last_week, status=401, code="CREDENTIAL_EXPIRED")
    page = client.get(address).content.decode()
    assert "Errors of the last 7 days" in page
    group = re.search(r'href="([^"]+code=FORBIDDEN_SCOPE[^"]+)"', page)
    assert group
    narrowed = client.get(group[1].replace("&amp;", "&")).content.decode()
    assert narrowed.count('data-tone="danger"') == 2
    assert b"No matching calls" in client.get(f"{address}?code=RATE_LIMITED").content


def test_it_asks_the_database_as_often_for_many_calls_as_for_few(
    client, key, django_assert_max_num_queries
):
    factories.signed_in(client, factories.owner_of(key.business))
    for number in range(40):
        called(key, number, status=403, code="FORBIDDEN_SCOPE", path=f"/{number % 9}")
    with django_assert_max_num_queries(16):
        client.get(at("log", key.business))


def test_a_call_is_shown_with_a_command_and_no_secret(client, key):
    call = called(key, 1, status=403, code="IP_NOT_ALLOWED")
    factories.signed_in(client, factories.owner_of(key.business))

    page = client.get(at("logged_call", key.business, call.request_id)).content.decode()

    assert "curl --fail-with-body http" in page
    assert "/sandbox/v1/me" in page
    assert f"Authorization: Bearer {key.public_id}:$API_SECRET" in page
    assert f'href="{reverse("api:product", args=["balances"])}#me-read"' in page
    assert f"?add={call.ip}" in page
    assert "explain/?key=" in page


def test_another_business_and_our_staff(client, key):
    call = called(key, 1)
    theirs = world.a_key()[0].business
    factories.signed_in(client, factories.owner_of(theirs))
    assert client.get(at("logged_call", key.business, call.request_id)).status_code == 404
    assert client.get(at("logged_call", theirs, call.request_id)).status_code == 404
    assert client.get(at("staff_log", key.business)).status_code == 404

    factories.signed_in(client, factories.one_of_staff(Role.ACCOUNT_MANAGER))
    assert call.request_id in client.get(at("staff_log", key.business)).content.decode()
    page = client.get(at("staff_logged_call", key.business, call.request_id))
    assert b"$API_SECRET" in page.content
    assert client.get(at("staff_logged_call", theirs, call.request_id)).status_code == 404


def outcomes(key, *, ip="10.1.2.3", environment="sandbox", signature="none"):
    chain = explanation.explain(
        ApiKey.objects.get(pk=key.pk), ip=ip, environment=environment, operation=ME,
        signature=signature,
    )  # fmt: skip
    refused = [check.problem.code.name for check in chain if check.problem]
    return [check.outcome for check in chain], refused


def test_a_call_that_would_pass(key):
    assert outcomes(key) == (["passed"] * 8, [])


def limit(**changes):
    """Change the limits of the only grant."""
    factories.change(Grant.objects.all(), **changes)


def give(table, column, value):
    """Set this list of every key or grant to one value, as only the database owner can."""
    with as_owner() as owner:
        go_past_triggers(owner)
        owner.execute(f"UPDATE {table} SET {column} = %s", [[value]])


@pytest.mark.parametrize(
    ("at_check", "code", "change"),
    [
        (0, "CREDENTIAL_EXPIRED", lambda key: keys.revoke(
            key, reason="Replaced.", by=factories.owner_of(key.business))),
        (1, "SIGNATURE_INVALID", lambda key: limit(requires_signatures=True)),
        (3, "COMPLIANCE_BLOCKED", lambda key: factories.change(
            Business.objects.all(), status="suspended")),
        (4, "IP_NOT_ALLOWED", lambda key: limit(networks=["192.0.2.0/24"])),
        (6, "PRODUCT_NOT_ENABLED", lambda key: give("apikeys_grant", "products", "cards")),
        (7, "FORBIDDEN_SCOPE", lambda key: give("apikeys_apikey", "scopes", "cards:read")),
    ],
)  # fmt: skip
def test_the_first_check_that_refuses_is_named_as_the_api_does(key, at_check, code, change):
    _, plain = world.a_key(key.grant) if at_check else (None, "")
    change(key)

    found, refused = outcomes(key)

    assert refused == [code]
    assert found == ["passed"] * at_check + ["refused"] + ["open"] * (7 - at_check)
    if plain and code != "FORBIDDEN_SCOPE":
        assert Caller().get("/sandbox/v1/me", plain).code == code
    assert len(KEY_PERMISSIONS) == len(found) - 3


@pytest.mark.parametrize(
    ("signature", "at_check", "code"),
    [("wrong", 1, "SIGNATURE_INVALID"), ("too_old", 2, "REPLAY_DETECTED"),
     ("nonce_used", 2, "REPLAY_DETECTED")],
)  # fmt: skip
def test_what_is_told_of_a_signature_is_explained(key, signature, at_check, code):
    found, refused = outcomes(key, signature=signature)

    assert refused == [code]
    assert found.index("refused") == at_check
    factories.change(Grant.objects.all(), requires_signatures=True)
    assert outcomes(key, signature="good") == (["passed"] * 8, [])


def test_the_explanation_page(client, key):
    factories.signed_in(client, factories.a_member(key.business, Role.DEVELOPER))
    address = at("explain", key.business)
    asked = {"key": key.public_id, "ip": "10.1.2.3", "endpoint": "GET /me"}
    assert b"each API check" in client.get(address).content
    page = client.get(address, asked | {"environment": "live"}).content
    assert b"We would refuse this call" in page
    assert b"ENVIRONMENT_MISMATCH" in page
    assert (
        b"would pass every check" in client.get(address, asked | {"environment": "sandbox"}).content
    )
    other, _ = world.a_key()
    page = client.get(address, asked | {"environment": "live", "key": other.public_id})
    assert b'id="chain"' not in page.content


@pytest.mark.parametrize("status", sorted(set(KeyStatus) - set(OPENS)))
def test_every_status_that_opens_nothing_has_its_reason_and_its_words(status):
    reason = authentication.ended(ApiKey(status=status))
    assert explanation._ENDED[reason]


def test_calls_are_found_by_id_object_and_time(client, key):
    factories.signed_in(client, factories.a_member(key.business, Role.DEVELOPER))
    made = "pay_" + "1".zfill(26)
    called(key, 1, minutes=90, method="POST", path="/payouts", object_id=made)
    called(key, 2)
    address = at("log", key.business)

    def found(**asked):
        page = client.get(address, asked).content.decode()
        return sorted({int(n) for n in re.findall(r"log/req_(\d+)/", page)})

    assert found() == [1, 2]
    assert found(q=f" {made} ") == found(q="req_" + "1".zfill(26)) == [1]
    hour = f"{clock.now() - timedelta(hours=1):%Y-%m-%dT%H:%M}"
    assert (found(since=hour), found(until=hour)) == ([2], [1])
    assert found(since="nonsense", q="req_\x00") == [1, 2]
    assert found(q="pay_unknown") == []


def test_a_refused_call_names_its_field_and_so_does_its_explanation(client, key):
    factories.signed_in(client, factories.a_member(key.business, Role.DEVELOPER))
    call = called(
        key, 1, status=422, code="VALIDATION_ERROR", faults=[["/bank_account/iban", "wrong_shape"]]
    )

    page = client.get(at("logged_call", key.business, call.request_id)).content.decode()
    assert "/bank_account/iban" in page
    explained = re.search(r'href="([^"]+explain/\?key[^"]+)"', page)
    assert explained
    page = client.get(explained[1].replace("&amp;", "&")).content.decode()
    assert "We would refuse this call with" in page
    assert "/bank_account/iban" in page
    assert "The value has the wrong format." in page
    assert "would pass every check" not in page
    other = client.get(explained[1].replace("&amp;", "&").replace("+/me", "+/balances"))
    assert b"/bank_account/iban" not in other.content


def test_a_refusal_of_the_past_that_is_mended_is_not_explained_as_one(client, key):
    factories.signed_in(client, factories.a_member(key.business, Role.DEVELOPER))
    call = called(key, 1, status=403, code="IP_NOT_ALLOWED", reason="business")
    page = client.get(at("logged_call", key.business, call.request_id)).content.decode()
    assert "is not on the allowlist of your business" in page
    explained = re.search(r'href="([^"]+explain/\?key[^"]+)"', page)
    assert explained
    assert b"would pass every check" in client.get(explained[1].replace("&amp;", "&")).content
