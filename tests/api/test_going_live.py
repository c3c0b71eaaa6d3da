"""Live through the API: calls kept as evidence, and what stops a live key."""

from datetime import timedelta

import pytest

from api.request_log_writer import WRITER
from apikeys.going_live.models import FirstSandboxCall
from apikeys.grants import grants
from apikeys.keys import keys
from apikeys.models import RequestLog
from apikeys.suspension import suspension
from console.accounts.roles import Role
from console.catalogue import products
from console.core import clock
from tests import factories
from tests.apikeys import world
from tests.apikeys.going_live import world as going

FROM = "9.9.9.7"


def test_the_first_call_of_a_product_that_succeeds_is_kept(api):
    grant = world.a_grant()
    _, plain = world.a_key(grant, scopes=("balances:read", "cards:read"))
    api.get("/sandbox/v1/balances", plain, "limit=wrong")
    WRITER.flush()
    assert not FirstSandboxCall.objects.exists()

    api.get("/sandbox/v1/balances", plain)
    WRITER.flush()
    api.get("/sandbox/v1/me", plain)
    api.get("/sandbox/v1/cards", plain)
    WRITER.flush()

    kept = FirstSandboxCall.objects.filter(business=grant.business)
    assert dict(kept.values_list("product", "operation")) == {
        "balances": "balances.list",
        "cards": "cards.list",
    }
    assert RequestLog.objects.filter(request_id__in=kept.values("request_id")).count() == 2


@pytest.fixture
def live():
    """A live business, and its credentials in both environments."""
    going_world = going.a_live_business()
    plain = {}
    for grant in (going_world.sandbox, going_world.live):
        _, minted = keys.issue(
            grant, name="Both worlds", scopes=["balances:read", "customers:read"],
            expires_at=clock.now() + timedelta(days=30), by=going_world.owner,
        )  # fmt: skip
        plain[grant.environment] = minted.plain
    return going_world, plain


def test_every_stop_holds_in_both_worlds(api, live):
    """A product, a grant and a business: closing and reopening affect the next request."""
    going_world, plain = live

    def answers(path):
        return (
            api.get(f"/sandbox/v1{path}", plain["sandbox"]).status,
            api.get(f"/v1{path}", plain["live"], REMOTE_ADDR=FROM).status,
        )

    assert api.get("/v1/me", plain["live"], REMOTE_ADDR="8.8.8.8").json["code"] == "IP_NOT_ALLOWED"
    assert answers("/me") == (200, 200)
    manager, head = going_world.manager, going_world.head
    grants.suspend(going_world.live, reason="Odd.", by=manager)
    assert answers("/me") == (200, 403)
    grants.restore(going_world.live, reason="Explained.", by=manager)
    grants.suspend(going_world.sandbox, reason="Odd.", by=manager)
    assert answers("/me") == (403, 200)
    grants.restore(going_world.sandbox, reason="Explained.", by=manager)
    suspension.suspend(going_world.business, reason="A question.", by=head)
    assert answers("/me") == (403, 403)
    suspension.restore(going_world.business, reason="Answered.", by=head)
    assert answers("/me") == (200, 200)

    assert answers("/customers") == (200, 200)
    commercial = factories.one_of_staff(Role.COMMERCIAL)
    products.withdraw(going_world.business, "customers", reason="No licence.", by=commercial)
    factories.settle()
    assert answers("/customers") == (403, 403)
