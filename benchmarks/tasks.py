"""The usual way to send webhooks, one Celery task per delivery: a peer of our dispatcher.

Does the minimum: read the delivery, sign it, post it over a kept-alive connection, and save the
result.
"""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchmarks.settings")
django.setup()

from celery import Celery  # noqa: E402
from django.db import transaction  # noqa: E402
from urllib3 import PoolManager  # noqa: E402

from apikeys.webhooks import delivery_headers, delivery_signatures, webhook_secrets  # noqa: E402
from apikeys.webhooks.models import (  # noqa: E402
    DeliveryAttempt,
    PublicEvent,
    QueuedDelivery,
    WebhookDelivery,
)
from console.core import clock  # noqa: E402

PROCESSES = 2
app = Celery("peer", broker=os.environ["BROKER_URL"])
app.conf.update(task_ignore_result=True, task_acks_late=True, worker_hijack_root_logger=False)
_connections = PoolManager()


@app.task
def deliver(delivery_id: str) -> None:
    """Send one delivery, and mark it as delivered."""
    queued = QueuedDelivery.objects.select_related("endpoint").get(public_id=delivery_id)
    endpoint, event = queued.endpoint, PublicEvent.objects.get(public_id=queued.event_id)
    secret = webhook_secrets.open_(bytes(endpoint.secret), endpoint.public_id)
    now, body = int(clock.now().timestamp()), bytes(event.body)
    headers = delivery_headers.constant() | {
        delivery_signatures.HEADER: delivery_signatures.service_signature(secret, now, body),
        "webhook-id": event.public_id,
        "webhook-timestamp": str(now),
        "webhook-signature": delivery_signatures.standard_signature(
            [secret], event.public_id, now, body
        ),
    }
    answer = _connections.request("POST", endpoint.url, body=body, headers=headers, timeout=10)
    assert answer.status == 200, answer.status
    with transaction.atomic():
        DeliveryAttempt.objects.create(
            delivery_id=delivery_id,
            environment=endpoint.environment,
            number=1,
            at=clock.now(),
            status=answer.status,
        )
        WebhookDelivery.objects.filter(public_id=delivery_id).update(
            status="delivered", attempts=1, ended_at=clock.now()
        )
        queued.delete()
