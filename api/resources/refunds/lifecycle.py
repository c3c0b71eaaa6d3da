"""Where a refund is, and what the log says of it."""

from api.sandbox.lifecycle import DISBURSEMENT_LIFECYCLE

REFUND_LIFECYCLE = DISBURSEMENT_LIFECYCLE
SENTENCES = {
    "refund.created": "{actor} asked for the refund {subject}",
    "refund.completed": "{actor} completed the refund {subject}",
    "refund.failed": "{actor} failed the refund {subject}",
}
