"""Every public kind is told by its real verb, in the shape that is promised, and no more."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from api.resources.remittance.models import Transfer
from api.resources.remittance.transfers import TRANSFERS
from apikeys.lifecycle import Environment
from apikeys.webhooks.models import PublicEvent, QueuedDelivery
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.core import clock
from console.events import public_kinds
from console.events.public_kinds import PublicKind
from onboarding.lifecycle import ApplicationStatus
from onboarding.review import decisions
from tests import factories
from tests.apikeys import world
from tests.apikeys.webhooks.world import an_endpoint
from tests.events.public_scenarios import INTERNAL, SCENARIOS, a_transfer

SENT = [kind for kind in public_kinds.every() if kind.is_sent]
# The sandbox completes such an amount later.
WAITS = 1_045
# They concern what exists in one environment; the others tell of the account.
OF_ONE = {"key", "network", "webhook_endpoint", "transfer", "deposit", "virtual_account"}
# Words of ours for what goes on inside.
INSIDE = ("held", "generat", "in_review", "approval", "countersign", "risk", "tier", "staff")


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
        assert not [word for word in INSIDE if word in said.lower()]


def test_a_review_that_is_held_and_goes_on_is_no_news():
    application = factories.an_application(ApplicationStatus.HELD)
    before = len(bodies_of("application.submitted"))

    decisions.release(application, note="Fine.", by=factories.one_of_staff(Role.COMPLIANCE))

    assert len(bodies_of("application.submitted")) == before == 2


def test_a_key_of_live_is_told_in_live_alone():
    grant = world.a_grant(environment=Environment.LIVE)
    key, _ = world.a_key(grant)

    (told,) = bodies_of("key.created")
    assert (told["environment"], told["data"]["id"]) == ("live", key.public_id)


def test_settling_a_transfer_costs_as_many_statements_with_endpoints_as_without():
    def statements(transfer: Transfer) -> int:
        Transfer.objects.filter(pk=transfer.pk).update(settles_at=clock.now())
        with CaptureQueriesContext(connection) as asked:
            assert TRANSFERS.settle(transfer, by=SYSTEM).status == "completed"
        return len(asked)

    waiting = [a_transfer(WAITS) for _ in range(2)]
    for number in range(3):
        an_endpoint(waiting[1].business, url=f"https://hooks.example.com/{number}")

    without, with_three = map(statements, waiting)

    assert without == with_three
    queued = QueuedDelivery.objects.filter(resource_id=waiting[1].public_id)
    assert queued.count() == 3
