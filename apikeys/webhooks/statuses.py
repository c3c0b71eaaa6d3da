"""How an endpoint, a delivery and a replay are shown, status by status."""

from apikeys.webhooks.lifecycle import DeliveryStatus, EndpointStatus, ReplayStatus
from console.core.status_table import StatusRow

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
