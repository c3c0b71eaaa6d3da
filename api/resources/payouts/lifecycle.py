"""The statuses of a payout, and the allowed moves."""

from django.db import models

from console.core.lifecycle import Lifecycle


class PayoutStatus(models.TextChoices):
    """Where a payout is: its money is reserved, or gone, or back."""

    PENDING = "pending", "Pending"
    COMPLETED = "completed", "Completed"
    FAILED = "failed", "Failed"


PAYOUT_LIFECYCLE = Lifecycle(
    {
        PayoutStatus.PENDING: [PayoutStatus.COMPLETED, PayoutStatus.FAILED],
        PayoutStatus.COMPLETED: [],
        PayoutStatus.FAILED: [],
    },
    start=[PayoutStatus.PENDING],
)
SENTENCES = {
    "payout.created": "{actor} asked for the payout {subject}",
    "payout.completed": "{actor} completed the payout {subject}",
    "payout.failed": "{actor} failed the payout {subject}",
}
