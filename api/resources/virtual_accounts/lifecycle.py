"""Where a virtual account and a deposit stand (2.16), and what the log says of them."""

from django.db import models

from console.core.lifecycle import Lifecycle
from console.core.status_table import StatusRow


class VirtualAccountStatus(models.TextChoices):
    """Whether money can arrive on it."""

    PENDING = "pending", "Pending"
    REQUIRES_ACTION = "requires_action", "Requires action"
    ACTIVE = "active", "Active"
    FROZEN = "frozen", "Frozen"
    CLOSED = "closed", "Closed"
    FAILED = "failed", "Failed"


class DepositStatus(models.TextChoices):
    """Whether its money can be spent."""

    HELD = "held", "Held"
    SETTLED = "settled", "Settled"


VIRTUAL_ACCOUNT_LIFECYCLE = Lifecycle(
    {
        VirtualAccountStatus.PENDING: [
            VirtualAccountStatus.ACTIVE,
            VirtualAccountStatus.REQUIRES_ACTION,
            VirtualAccountStatus.FAILED,
            VirtualAccountStatus.CLOSED,
        ],
        VirtualAccountStatus.REQUIRES_ACTION: [
            VirtualAccountStatus.PENDING,
            VirtualAccountStatus.FAILED,
            VirtualAccountStatus.CLOSED,
        ],
        VirtualAccountStatus.ACTIVE: [VirtualAccountStatus.FROZEN, VirtualAccountStatus.CLOSED],
        VirtualAccountStatus.FROZEN: [VirtualAccountStatus.ACTIVE, VirtualAccountStatus.CLOSED],
        VirtualAccountStatus.CLOSED: [],
        VirtualAccountStatus.FAILED: [],
    },
    # A temporary one starts active.
    start=[VirtualAccountStatus.PENDING, VirtualAccountStatus.ACTIVE],
)
VIRTUAL_ACCOUNT_STATUSES: dict[str, StatusRow] = {
    VirtualAccountStatus.PENDING: StatusRow("accent"),
    VirtualAccountStatus.REQUIRES_ACTION: StatusRow("warning"),
    VirtualAccountStatus.ACTIVE: StatusRow("ok"),
    VirtualAccountStatus.FROZEN: StatusRow("warning"),
    VirtualAccountStatus.CLOSED: StatusRow("quiet"),
    VirtualAccountStatus.FAILED: StatusRow("danger"),
}
DEPOSIT_LIFECYCLE = Lifecycle(
    {DepositStatus.HELD: [DepositStatus.SETTLED], DepositStatus.SETTLED: []},
    start=[DepositStatus.HELD, DepositStatus.SETTLED],
)
DEPOSIT_STATUSES: dict[str, StatusRow] = {
    DepositStatus.HELD: StatusRow("warning"),
    DepositStatus.SETTLED: StatusRow("ok"),
}
SENTENCES = {
    "virtual_account.created": "{actor} asked for the virtual account {subject}",
    "virtual_account.pending": "{actor} supplied what the virtual account {subject} lacked",
    "virtual_account.requires_action": "{actor} asked for more about the virtual account {subject}",
    "virtual_account.active": "{actor} opened the virtual account {subject}",
    "virtual_account.unfrozen": "{actor} let the virtual account {subject} go on",
    "virtual_account.unanswered": "Nobody answered in time about the virtual account {subject}",
    "virtual_account.frozen": "{actor} froze the virtual account {subject}",
    "virtual_account.closed": "{actor} closed the virtual account {subject}",
    "virtual_account.failed": "{actor} refused the virtual account {subject}",
    "deposit.held": "{actor} brought the deposit {subject} to a frozen account",
    "deposit.settled": "{actor} settled the deposit {subject}",
    "deposit.released": "{actor} released the held deposit {subject}",
}
