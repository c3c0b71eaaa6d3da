"""The real verbs publish every public event kind, in the promised shape and with nothing extra."""

import json
from typing import Any, get_args

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from api.payments.disbursements import TRANSFERS
from api.payments.models import Transfer
from apikeys.lifecycle import Environment, KeyStatus
from apikeys.public_kinds import KeyStatusName
from apikeys.webhooks.models import PublicEvent, QueuedDelivery
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.catalogue import module_settings, products
from console.catalogue.lifecycle import HandSetting
from console.core import clock
from console.events import public_kinds
from console.events.public_kinds import PublicKind
from onboarding.lifecycle import ApplicationStatus
from onboarding.review import decisions
from tests import factories
from tests.apikeys import world
from tests.apikeys.webhooks.world import an_endpoint
from tests.events.public_scenarios import INTERNAL, SCENARIOS, a_transfer

SENT = [kind for kind in public_kinds.every() if kind.name in SCENARIOS]
# The sandbox delays completion of transfers with this amount.
WAITS = 1_045
# Objects that exist in one environment; the other kinds concern the whole account.
OF_ONE = {"key", "network", "webhook_endpoint", "deposit", "checkout_session"}
# Internal terms that no public event may contain.
INSIDE = ("held", "generat", "in_review", "approval", "countersign", "risk", "tier", "staff")


def test_every_status_of_a_key_can_be_told():
    assert set(get_args(KeyStatusName)) == set(KeyStatus.values)


def bodies_of(kind: str) -> list[dict[str, Any]]:
    rows = PublicEvent.objects.filter(kind=kind).order_by("pk")
    return [json.loads(bytes(row.body)) for row in rows]


@pytest.mark.parametrize("kind", SENT, ids=lambda kind: kind.name)
def test_a_kind_is_told_by_its_verb(kind: PublicKind):
    SCENARIOS[kind.name]()

    told = bodies_of(kind.name)
    environments = [one["environment"] for one in told]
    if kind.name.partition(".")[0] in OF_ONE:
        (only,) = environments
        assert only == told[0]["data"].get("environment", "sandbox")
    else:
        assert environments == ["sandbox", "live"]
    for one in told:
        schema = type(kind.sample)
        assert schema.model_validate_json(json.dumps(one["data"])).model_dump() == one["data"]
        assert list(one["data"]) == list(schema.model_fields)
        said = json.dumps(one)
        assert INTERNAL not in said
        # Money can be held, which is no word of a review.
        own = {"held"} if kind.name == "deposit.held" else set()
        assert not [word for word in INSIDE if word in said.lower() and word not in own]


def test_a_review_that_is_held_and_goes_on_is_no_news():
    application = factories.an_application(ApplicationStatus.HELD)
    before = len(bodies_of("application.submitted"))

    decisions.release(application, note="Fine.", by=factories.one_of_staff(Role.COMPLIANCE))

    assert len(bodies_of("application.submitted")) == before == 2


def test_a_product_is_told_each_time_that_it_opens_or_closes_and_not_otherwise():
    business = factories.a_business()
    manager = factories.one_of_staff(Role.ACCOUNT_MANAGER)
    commercial = factories.one_of_staff(Role.COMMERCIAL)

    def by_hand(hand: HandSetting, seen: HandSetting) -> None:
        module_settings.set_by_hand(business, "cards", hand, seen=seen, reason=INTERNAL, by=manager)

    def release(seen: HandSetting) -> None:
        module_settings.release(business, "cards", seen=seen, reason=INTERNAL, by=manager)

    def told() -> list[str]:
        rows = PublicEvent.objects.filter(environment="live", kind__startswith="product.")
        return [row.kind.removeprefix("product.") for row in rows.order_by("pk")]

    none, on, off = HandSetting.NONE, HandSetting.ON, HandSetting.OFF
    by_hand(off, none)
    products.approve(business, ["cards"], by=SYSTEM)
    by_hand(on, off)
    assert told() == ["enabled"]  # the approval sent no event: the product was disabled by hand
    by_hand(off, on)
    release(off)
    assert told() == ["enabled", "disabled", "enabled"]
    by_hand(on, none)
    release(on)
    by_hand(off, none)
    products.withdraw(business, "cards", reason=INTERNAL, by=commercial)
    release(off)
    assert told() == ["enabled", "disabled", "enabled", "disabled"]

    set_off = bodies_of("product.disabled")[0]
    assert set_off["data"]["since"].rstrip("Z") == set_off["created_at"].partition(".")[0]
    assert (set_off["data"]["product"], set_off["data"]["status"]) == ("cards", "disabled")
    assert INTERNAL not in json.dumps(bodies_of("product.disabled"))


def test_a_key_of_live_is_told_in_live_alone():
    grant = world.a_grant(environment=Environment.LIVE)
    key, _ = world.a_key(grant)

    (told,) = bodies_of("key.created")
    assert (told["environment"], told["data"]["id"]) == ("live", key.public_id)


def test_settling_a_transfer_costs_as_many_statements_with_three_endpoints_as_with_one():
    def statements(transfer: Transfer) -> int:
        Transfer.objects.filter(pk=transfer.pk).update(settles_at=clock.now())
        with CaptureQueriesContext(connection) as asked:
            TRANSFERS.settle_due(transfer.business_id)
        return len(asked)

    waiting = [a_transfer(WAITS) for _ in range(2)]
    for transfer, endpoints in zip(waiting, (1, 3), strict=True):
        for number in range(endpoints):
            an_endpoint(transfer.business, url=f"https://hooks.example.com/{number}")

    with_one, with_three = map(statements, waiting)

    assert with_one == with_three
    assert {one.status for one in Transfer.objects.all()} == {"completed"}
    queued = QueuedDelivery.objects.filter(resource_id=waiting[1].public_id)
    assert queued.count() == 3
