"""Where a refund is, and what the log says of it."""

from api.resources import disbursements

REFUND_LIFECYCLE = disbursements.DISBURSEMENT_LIFECYCLE
SENTENCES = {
    "refund.created": "{actor} asked for the refund {subject}",
    "refund.completed": "{actor} completed the refund {subject}",
    "refund.failed": "{actor} failed the refund {subject}",
}
