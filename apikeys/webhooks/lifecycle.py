"""Statuses of endpoints, verifications, deliveries and replays, and the allowed transitions."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from apikeys.lifecycle import Environment
from console.core.lifecycle import Lifecycle
from console.core.status_table import StatusRow


class EndpointStatus(models.TextChoices):
    """Whether deliveries are sent to an endpoint (the two values of the specification)."""

    ACTIVE = "active", _("Active")
    PAUSED = "paused", _("Paused")


class PausedReason(models.TextChoices):
    MERCHANT = "merchant", _("Paused by you")
    FAILING = "failing", _("Failing for too long")
    GONE = "gone", _("Answered 410 Gone")
    ABUSE = "abuse", _("Stopped by our staff")


# An endpoint is paused after failing for this many hours and this many times in a row.
PAUSE_AFTER_HOURS = {Environment.LIVE: 72, Environment.SANDBOX: 24}
PAUSE_AFTER_FAILURES = 25


class Verification(models.TextChoices):
    """Whether an endpoint has proved that it checks our signatures."""

    UNVERIFIED = "unverified", _("Not verified")
    VERIFIED = "verified", _("Verified")
    LAPSED = "lapsed", _("Lapsed")


class DeliveryStatus(models.TextChoices):
    """Status of a delivery. A pending one is shown as “Held” while its endpoint gets none."""

    PENDING = "pending", _("Pending")
    DELIVERED = "delivered", _("Delivered")
    EXHAUSTED = "exhausted", _("Failed")
    ABANDONED = "abandoned", _("Abandoned")


class DeliveryKind(models.TextChoices):
    NORMAL = "normal", _("Event")
    REPLAY = "replay", _("Sent again")
    PING = "ping", _("Test event")


class ReplayStatus(models.TextChoices):
    RUNNING = "running", _("Running")
    DONE = "done", _("Done")
    CANCELLED = "cancelled", _("Cancelled")


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
        # The last attempt counted as lost, but an answer came later.
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
# The reasons of compliance for stopping an endpoint, and for resuming it.
CONFIDENTIAL = ("webhook_endpoint.stopped", "webhook_endpoint.let_on")
SENTENCES = {
    "webhook_endpoint.created": "{actor} created the webhook endpoint {subject}",
    "webhook_endpoint.changed": "{actor} changed the webhook endpoint {subject}",
    "webhook_endpoint.moved": "{actor} changed the address of the webhook endpoint {subject}",
    "webhook_endpoint.active": "{actor} resumed the webhook endpoint {subject}",
    "webhook_endpoint.paused": "{actor} paused the webhook endpoint {subject}",
    "webhook_endpoint.stopped": "{actor} stopped the webhook endpoint {subject} for abuse",
    "webhook_endpoint.let_on": "{actor} resumed the webhook endpoint {subject} after abuse",
    "webhook_endpoint.removed": "{actor} removed the webhook endpoint {subject}",
    "webhook_endpoint.rotated": "{actor} rotated the signing secret of {subject}",
    "webhook_endpoint.overlap_ended": "{actor} ended the previous signing secret of {subject}",
    "webhook_endpoint.pinged": "{actor} sent a test event to {subject}",
    "webhook_endpoint.probe_asked": "{actor} asked to verify the webhook endpoint {subject}",
    "webhook_endpoint.probe_passed": "The webhook endpoint {subject} still checks signatures",
    "webhook_endpoint.probe_failed": "The webhook endpoint {subject} failed a verification",
    "webhook_endpoint.verified": "The webhook endpoint {subject} was verified",
    "webhook_endpoint.lapsed": "The verification of the webhook endpoint {subject} lapsed",
    "webhook_endpoint.failing": "{actor} sent a notice that deliveries to {subject} are failing",
    "webhook_endpoint.exhausted": "{actor} sent a notice of failed deliveries to {subject}",
    "webhook_endpoint.left_out": "{actor} sent a notice that events for {subject} were not held",
    "webhook_endpoint.skipped_held": "{actor} skipped the held events of {subject}",
    "webhook_delivery.resent": "{actor} sent the delivery {subject} again",
    "replay_job.running": "{actor} started a replay, {subject}",
    "replay_job.done": "A replay finished, {subject}",
    "replay_job.cancelled": "{actor} stopped a replay, {subject}",
}

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
