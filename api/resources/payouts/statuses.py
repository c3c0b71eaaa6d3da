"""How a payout is shown, status by status."""

from api.resources.payouts.lifecycle import PayoutStatus
from console.core.status_table import StatusRow

PAYOUT: dict[str, StatusRow] = {
    PayoutStatus.PENDING: StatusRow("accent"),
    PayoutStatus.COMPLETED: StatusRow("ok"),
    PayoutStatus.FAILED: StatusRow("danger"),
}
