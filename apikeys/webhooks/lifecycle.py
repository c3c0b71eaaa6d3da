"""The statuses of an endpoint, its verification, a delivery and a replay, and the allowed moves."""

from django.db import models

from apikeys.lifecycle import Environment
from console.core.lifecycle import Lifecycle
from console.core.status_table import StatusRow


class EndpointStatus(models.TextChoices):
    """Whether deliveries are sent to an endpoint (the specification's two values)."""

    ACTIVE = "active", "Active"
    PAUSED = "paused", "Paused"


class PausedReason(models.TextChoices):
    """Why an endpoint is paused."""

    MERCHANT = "merchant", "Paused by you"
    FAILING = "failing", "Failing for too long"
    GONE = "gone", "Answered 410 Gone"
    ABUSE = "abuse", "Stopped by our staff"


# We pause an endpoint that has failed for this long, and this many times in a row.
PAUSE_AFTER_HOURS = {Environment.LIVE: 72, Environment.SANDBOX: 24}
PAUSE_AFTER_FAILURES = 25


class Verification(models.TextChoices):
    """Whether an endpoint has proved that it checks our signatures."""

    UNVERIFIED = "unverified", "Not verified"
    VERIFIED = "verified", "Verified"
    LAPSED = "lapsed", "Lapsed"


class DeliveryStatus(models.TextChoices):
    """What became of one event at one endpoint. Held is pending: its endpoint takes none now."""

    PENDING = "pending", "Pending"
    DELIVERED = "delivered", "Delivered"
    EXHAUSTED = "exhausted", "Failed"
    ABANDONED = "abandoned", "Abandoned"


class DeliveryKind(models.TextChoices):
    """Why a delivery is made."""

    NORMAL = "normal", "Event"
    REPLAY = "replay", "Sent again"
    PING = "ping", "Test event"


class ReplayStatus(models.TextChoices):
    """Where the sending again of a range is."""

    RUNNING = "running", "Running"
    DONE = "done", "Done"
    CANCELLED = "cancelled", "Cancelled"


ENDPOINT_LIFECYCLE = Lifecycle(
    {
        EndpointStatus.ACTIVE: [EndpointStatus.PAUSED],
        EndpointStatus.PAUSED: [EndpointStatus.ACTIVE],
    },
    start=[EndpointStatus.ACTIVE],
)
DELIVERY_LIFECYCLE = Lifecycle(
    {
        DeliveryStatus.PENDING: [
            DeliveryStatus.DELIVERED,
            DeliveryStatus.EXHAUSTED,
            DeliveryStatus.ABANDONED,
        ],
        DeliveryStatus.DELIVERED: [],
        # The last attempt was counted as lost, and answered after all.
        DeliveryStatus.EXHAUSTED: [DeliveryStatus.DELIVERED],
        DeliveryStatus.ABANDONED: [DeliveryStatus.DELIVERED],
    },
    start=[DeliveryStatus.PENDING],
)
REPLAY_LIFECYCLE = Lifecycle(
    {
        ReplayStatus.RUNNING: [ReplayStatus.DONE, ReplayStatus.CANCELLED],
        ReplayStatus.DONE: [],
        ReplayStatus.CANCELLED: [],
    },
    start=[ReplayStatus.RUNNING],
)
SENTENCES = {
    "webhook_endpoint.created": "{actor} created the webhook endpoint {subject}",
    "webhook_endpoint.changed": "{actor} changed the webhook endpoint {subject}",
    "webhook_endpoint.moved": "{actor} changed the address of the webhook endpoint {subject}",
    "webhook_endpoint.active": "{actor} resumed the webhook endpoint {subject}",
    "webhook_endpoint.paused": "{actor} paused the webhook endpoint {subject}",
    "webhook_endpoint.stopped": "{actor} stopped the webhook endpoint {subject} for abuse",
    "webhook_endpoint.let_on": "{actor} let the webhook endpoint {subject} go on after abuse",
    "webhook_endpoint.removed": "{actor} removed the webhook endpoint {subject}",
    "webhook_endpoint.rotated": "{actor} rotated the signing secret of {subject}",
    "webhook_endpoint.overlap_ended": "{actor} ended the previous signing secret of {subject}",
    "webhook_endpoint.pinged": "{actor} sent a test event to {subject}",
    "webhook_endpoint.probe_asked": "{actor} asked to verify the webhook endpoint {subject}",
    "webhook_endpoint.probe_passed": "The webhook endpoint {subject} still checks signatures",
    "webhook_endpoint.probe_failed": "The webhook endpoint {subject} failed a verification",
    "webhook_endpoint.verified": "The webhook endpoint {subject} was verified",
    "webhook_endpoint.lapsed": "The verification of the webhook endpoint {subject} lapsed",
    "webhook_endpoint.failing": "{actor} told that the webhook endpoint {subject} is failing",
    "webhook_endpoint.exhausted": "{actor} told what {subject} did not take at any attempt",
    "webhook_endpoint.left_out": "{actor} told that events were not held for {subject}",
    "webhook_endpoint.skipped_held": "{actor} left out what was held for {subject}",
    "webhook_delivery.resent": "{actor} sent the delivery {subject} again",
    "replay_job.running": "{actor} asked for a range to be sent again, {subject}",
    "replay_job.done": "A range was sent again, {subject}",
    "replay_job.cancelled": "{actor} stopped sending a range again, {subject}",
}

# How each is shown.
ENDPOINT: dict[str, StatusRow] = {
    EndpointStatus.ACTIVE: StatusRow("ok"),
    EndpointStatus.PAUSED: StatusRow("warning"),
}
DELIVERY: dict[str, StatusRow] = {
    DeliveryStatus.PENDING: StatusRow("accent"),
    DeliveryStatus.DELIVERED: StatusRow("ok"),
    DeliveryStatus.EXHAUSTED: StatusRow("danger"),
    DeliveryStatus.ABANDONED: StatusRow("quiet"),
}
REPLAY: dict[str, StatusRow] = {
    ReplayStatus.RUNNING: StatusRow("accent"),
    ReplayStatus.DONE: StatusRow("ok"),
    ReplayStatus.CANCELLED: StatusRow("quiet"),
}
