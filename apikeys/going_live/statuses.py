"""How a request to go live is shown, status by status."""

from apikeys.going_live.lifecycle import GoLiveStatus
from console.core.status_table import StatusRow

GO_LIVE_REQUEST: dict[str, StatusRow] = {
    GoLiveStatus.REQUESTED: StatusRow("accent"),
    GoLiveStatus.APPROVED: StatusRow("ok"),
    GoLiveStatus.DECLINED: StatusRow("danger"),
    GoLiveStatus.WITHDRAWN: StatusRow("quiet"),
}
