"""Events of later outcomes: each contains the object as the API returns it."""

import pytest

from console.events import public_kinds
from tests.api.asking import Client, a_client
from tests.api.resource_outcomes import OUTCOMES

KINDS = {kind.name: kind for kind in public_kinds.every()}


@pytest.fixture
def client(api):
    return Client(api, a_client())


@pytest.mark.parametrize("name", OUTCOMES)
def test_an_outcome_is_sent_with_its_object_as_the_api_shows_it(client, name):
    shown = OUTCOMES[name](client)

    told = client.read("/events", f"type={name}&resource={shown['id']}")["data"]
    assert [one["data"] for one in told] == [shown]
    assert KINDS[name].sample.model_validate(shown).model_dump() == shown
    assert shown["status"] in (name.partition(".")[2], "active")
