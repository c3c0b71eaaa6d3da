"""How an endpoint and a replay are shown, status by status."""

from apikeys.webhooks.lifecycle import (
    EndpointStatus,
    ReplayStatus,
)
from console.core.status_table import StatusRow

ENDPOINT: dict[str, StatusRow] = {
    EndpointStatus.ACTIVE: StatusRow("ok"),
    EndpointStatus.PAUSED: StatusRow("warning"),
}
REPLAY: dict[str, StatusRow] = {
    ReplayStatus.RUNNING: StatusRow("accent"),
    ReplayStatus.DONE: StatusRow("ok"),
    ReplayStatus.CANCELLED: StatusRow("quiet"),
}
