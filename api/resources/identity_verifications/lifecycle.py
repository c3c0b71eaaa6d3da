"""Where an identity verification is, what came of it, and what the log says of it."""

from django.db import models

from console.core.lifecycle import Lifecycle
from console.core.status_table import StatusRow


class VerificationStatus(models.TextChoices):
    """Whether the answer is there."""

    PENDING = "pending", "Pending"
    COMPLETED = "completed", "Completed"


class VerificationResult(models.TextChoices):
    """What the register said. Only ever added to: clients branch on it."""

    CONFIRMED = "confirmed", "Confirmed"
    MISMATCH = "mismatch", "Of somebody else"
    NOT_FOUND = "not_found", "Not found"


VERIFICATION_LIFECYCLE = Lifecycle(
    {
        VerificationStatus.PENDING: [VerificationStatus.COMPLETED],
        VerificationStatus.COMPLETED: [],
    }
)
STATUSES: dict[str, StatusRow] = {
    VerificationStatus.PENDING: StatusRow("accent"),
    VerificationStatus.COMPLETED: StatusRow("ok"),
}
SENTENCES = {
    "identity_verification.created": "{actor} asked for the identity verification {subject}",
    "identity_verification.completed": "{actor} completed the identity verification {subject}",
}
