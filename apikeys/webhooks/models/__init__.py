"""Models of webhooks: endpoints, events, deliveries and replays."""

from apikeys.webhooks.models.delivery import (
    CHANNEL,
    DeliveryAttempt,
    DeliveryDay,
    DeliveryLane,
    DispatcherHeartbeat,
    QueuedDelivery,
    WebhookDelivery,
)
from apikeys.webhooks.models.endpoint import EndpointNotice, EndpointProbe, WebhookEndpoint
from apikeys.webhooks.models.event import EventSequence, PublicEvent
from apikeys.webhooks.models.replay import ReplayJob

__all__ = [
    "CHANNEL",
    "DeliveryAttempt",
    "DeliveryDay",
    "DeliveryLane",
    "DispatcherHeartbeat",
    "EndpointNotice",
    "EndpointProbe",
    "EventSequence",
    "PublicEvent",
    "QueuedDelivery",
    "ReplayJob",
    "WebhookDelivery",
    "WebhookEndpoint",
]
