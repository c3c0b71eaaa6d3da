"""Events are delivered: signed, quickly, and recorded."""

import pytest
from standardwebhooks.webhooks import Webhook

from apikeys.webhooks import delivery_signatures
from apikeys.webhooks.models import DeliveryAttempt, QueuedDelivery, WebhookDelivery
from tests.apikeys.webhooks import world
from tests.apikeys.webhooks.dispatcher.conftest import happen
from tests.apikeys.webhooks.dispatcher.receiver import Receiver
from tests.services import Services
from tests.waiting import eventually

pytestmark = pytest.mark.services


def test_a_delivery_arrives_signed_and_is_recorded(deliver: Services, receiver: Receiver):
    endpoint, secret = world.an_endpoint(url=receiver.url("/a"), verified=True)

    happen(endpoint.business)

    eventually(lambda: WebhookDelivery.objects.filter(status="delivered").exists())
    (heard,) = receiver.heard
    delivery = WebhookDelivery.objects.get()
    name, value = delivery_signatures.HEADER, heard.headers[delivery_signatures.HEADER]
    moment = int(heard.headers["webhook-timestamp"])
    assert value == delivery_signatures.service_signature(secret, moment, heard.body), name
    assert Webhook(secret).verify(heard.body, heard.headers)
    assert {one: heard.headers[one] for one in heard.headers if one.startswith("Service-D")} == {
        "Service-Delivery-Id": delivery.public_id,
        "Service-Delivery-Attempt": "1",
    }
    attempt = DeliveryAttempt.objects.get(delivery_id=delivery.public_id)
    assert (attempt.number, attempt.status, attempt.error, attempt.excerpt) == (1, 200, "", "ok")
    assert None not in (attempt.total_us, attempt.first_byte_us, attempt.connect_us)
    endpoint.lane.refresh_from_db()
    assert endpoint.lane.in_flight == 0
    assert not QueuedDelivery.objects.exists()
