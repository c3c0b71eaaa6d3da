"""The demo's live business: its evidence is real calls, its key works in live, and both end."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction

from agreements.lifecycle import PackStatus
from api.demo import going_live, sandbox_calls, saved_keys, shutdown, world
from api.demo import people as cast
from api.demo.people import WORLD, DemoPerson
from apikeys.going_live import first_calls, live_readiness, requests
from apikeys.going_live.models import GoLiveRequest
from apikeys.lifecycle import Environment
from apikeys.models import ApiKey, Grant, RequestLog
from apikeys.webhooks import enforcement, verification
from apikeys.webhooks.models import WebhookEndpoint
from console.accounts.actors import SYSTEM
from console.accounts.models import Business, User
from console.accounts.roles import Role
from console.audit import log as audit
from console.catalogue import products
from console.catalogue.definitions import PRODUCTS
from tests import factories
from tests.api.calling import Caller

KETTLE = [one for one in cast.BUSINESS_PEOPLE if one.business == "kettle"]
SOFIA, MIRIAM = (
    next(one for one in cast.STAFF if role in one.roles)
    for role in (Role.ACCOUNT_MANAGER, Role.HEAD_OF_COMPLIANCE)
)


@pytest.fixture(autouse=True)
def _demo(settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    settings.DEMO, settings.WEBHOOK_ALLOW_HTTP = True, True
    settings.LIVE_NETWORKS_ALLOW_CIDRS = ["127.0.0.0/8", "::1/128"]
    settings.DATA_DIR = str(tmp_path)
    monkeypatch.setattr(cast, "EVERYONE", (*cast.STAFF, *KETTLE))


@pytest.fixture
def business() -> Business:
    """An executed business that may use every product, with the demo's people."""
    business = factories.a_pack(at=PackStatus.EXECUTED).business
    factories.settle()
    products.approve(business, list(PRODUCTS), by=SYSTEM)
    factories.settle()
    for person in KETTLE:
        (role,) = person.roles
        factories.join(business, world.person_of(person), role)
    with transaction.atomic():
        audit.record("demo.made", WORLD, by=SYSTEM, businesses={"kettle": business.public_id})
    return business


def test_it_goes_live_by_real_calls_and_its_key_opens_live_until_the_demo_ends(
    business: Business, api: Caller
) -> None:
    people = _people()
    sandbox = Grant.objects.get(business=business, environment=Environment.SANDBOX)
    key = going_live.issue_key(sandbox, "sandbox", by=people.developer)
    assert printed()["keys"] == {"sandbox": key, "live": None}

    # One condition short of live: its endpoint waits for a visitor of the demo.
    going_live.meet_conditions(business, key, people, verified=False)
    calls = first_calls.calls_of(business)
    assert set(calls) == set(PRODUCTS)
    logged = RequestLog.objects.filter(business_id=business.pk, status__lt=400)
    assert set(logged.values_list("request_id", flat=True)) == {
        call.request_id for call in calls.values()
    }
    assert [one.code for one in live_readiness.blockers(business, list(PRODUCTS))] == [
        "live.endpoint"
    ]
    (endpoint,) = WebhookEndpoint.objects.of(business).filter(environment="live")
    assert endpoint.public_id in saved_keys.kept_webhook_secrets()
    probe = verification.ask(endpoint, by=people.developer)
    verification.settle(probe, [], method=enforcement.PROBE, by=SYSTEM)

    # Interrupted after the business's request, then restarted more than once.
    *first, later = requests.choices(business)
    requests.ask(business, first, by=people.owner)
    for _ in range(2):
        going_live.meet_conditions(business, key, people, verified=True)
        going_live.go_live(business, people)
    assert logged.count() == len(PRODUCTS)
    waiting, request = GoLiveRequest.objects.of(business).with_people()
    assert (waiting.is_open, waiting.products) == (True, [later])
    assert request.proposed_by == world.person_of(SOFIA)
    assert request.decided_by == world.person_of(MIRIAM)
    assert request.confirmed_by == people.owner
    live = Grant.objects.get(business=business, environment=Environment.LIVE)
    assert live.is_open
    assert set(live.products) == set(PRODUCTS) - {later}
    (row,) = ApiKey.objects.filter(grant=live)
    assert row.stored_at is not None
    assert set(row.scopes) == live.scopes()

    plain = printed()["keys"]["live"]
    api.ip = sandbox_calls.CALLER
    assert plain.startswith(row.public_id)
    assert api.get("/v1/me", plain).status == 200
    balances = api.get("/v1/balances", plain).json["data"]
    assert {one["total"].strip("0") for one in balances} == {"."}
    api.ip = "::1"
    assert api.get("/v1/me", plain).status == 200
    api.ip = "9.9.9.9"
    assert api.get("/v1/me", plain).code == "IP_NOT_ALLOWED"

    shutdown.end(by=SYSTEM)
    row.refresh_from_db()
    assert row.status == "revoked"
    assert printed()["keys"] == {"sandbox": None, "live": None}


def printed() -> dict[str, Any]:
    out = StringIO()
    call_command("demo", "json", stdout=out)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def _people() -> going_live.GoLivePeople:
    owner, developer = map(world.person_of, KETTLE)
    return going_live.GoLivePeople(owner, developer, _joined(SOFIA), _joined(MIRIAM))


def _joined(person: DemoPerson) -> User:
    world._join_staff(person)
    return world.person_of(person)
