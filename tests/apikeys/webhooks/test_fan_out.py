"""Public events and their deliveries are created in the transaction of the change."""

import json

import pytest
from django.db import transaction

from apikeys.lifecycle import Environment
from apikeys.webhooks.models import PublicEvent, QueuedDelivery, WebhookDelivery
from console.accounts.models import Business
from console.events import outbox
from tests import factories
from tests.apikeys.webhooks import world


@pytest.fixture(autouse=True)
def kind():
    with world.a_kind() as kind, world.a_kind("other.told", "other.happened"):
        yield kind


def happen(business: Business, **payload: object) -> None:
    with transaction.atomic():
        outbox.publish("fact.happened", business, **payload)


def test_an_event_is_written_with_its_bytes():
    business = factories.a_business()

    happen(business, text="one")
    happen(business, text="two")

    first, second = PublicEvent.objects.filter(business=business, kind=world.KIND).order_by("pk")
    body = json.loads(bytes(first.body))
    assert list(body) == [
        "id", "object", "type", "created_at", "environment", "api_version", "sequence", "data",
    ]  # fmt: skip
    assert body["id"] == first.public_id
    assert body["data"] == {"id": business.public_id, "object": "fact", "text": "one"}
    assert (first.sequence, second.sequence) == (1, 2)


def test_each_endpoint_that_wants_it_gets_a_delivery():
    endpoint, _ = world.an_endpoint()
    business = endpoint.business
    other, _ = world.an_endpoint(business, url="https://other.example.com/", events=[world.KIND])
    world.an_endpoint(business, url="https://not.example.com/", events=["other.told"])
    world.an_endpoint(business, environment=Environment.LIVE)
    world.an_endpoint(url="https://else.example.com/")

    happen(business)

    queued = QueuedDelivery.objects.filter(resource_id=business.public_id)
    assert set(queued.values_list("endpoint", flat=True)) == {endpoint.pk, other.pk}
    kept = WebhookDelivery.objects.filter(public_id__in=queued.values("public_id"))
    assert set(kept.values_list("status", "attempts")) == {("pending", 0)}
    assert kept.count() == 2


def test_what_is_rolled_back_was_never_told():
    endpoint, _ = world.an_endpoint()

    with transaction.atomic():
        outbox.publish("fact.happened", endpoint.business)
        transaction.set_rollback(True)

    assert not PublicEvent.objects.filter(kind=world.KIND).exists()
    happen(endpoint.business)
    assert PublicEvent.objects.get(kind=world.KIND).sequence == 1
