"""Where a sub-account is, and what the log says of it (webhooks-and-checkout 2.16)."""

from django.db import models

from console.core.lifecycle import Lifecycle
from console.core.status_table import StatusRow


class SubAccountStatus(models.TextChoices):
    """How far its holder has come, and whether it is in use."""

    PENDING = "pending", "Pending"
    ACTIVE = "active", "Active"
    REJECTED = "rejected", "Rejected"
    SUSPENDED = "suspended", "Suspended"
    CLOSED = "closed", "Closed"


SUB_ACCOUNT_LIFECYCLE = Lifecycle(
    {
        SubAccountStatus.PENDING: [
            SubAccountStatus.ACTIVE,
            SubAccountStatus.REJECTED,
            SubAccountStatus.CLOSED,
        ],
        SubAccountStatus.ACTIVE: [SubAccountStatus.SUSPENDED, SubAccountStatus.CLOSED],
        SubAccountStatus.REJECTED: [],
        SubAccountStatus.SUSPENDED: [SubAccountStatus.ACTIVE, SubAccountStatus.CLOSED],
        SubAccountStatus.CLOSED: [],
    }
)
SUB_ACCOUNT_STATUSES: dict[str, StatusRow] = {
    SubAccountStatus.PENDING: StatusRow("accent"),
    SubAccountStatus.ACTIVE: StatusRow("ok"),
    SubAccountStatus.REJECTED: StatusRow("danger"),
    SubAccountStatus.SUSPENDED: StatusRow("warning"),
    SubAccountStatus.CLOSED: StatusRow("quiet"),
}
SENTENCES = {
    "sub_account.created": "{actor} created the sub-account {subject}",
    "sub_account.active": "{actor} made the sub-account {subject} active",
    "sub_account.lifted": "{actor} lifted the suspension of the sub-account {subject}",
    "sub_account.not_accepted": "Nobody accepted the sub-account {subject} in time",
    "sub_account.rejected": "{actor} rejected the sub-account {subject}",
    "sub_account.suspended": "{actor} suspended the sub-account {subject}",
    "sub_account.closed": "{actor} closed the sub-account {subject}",
}
