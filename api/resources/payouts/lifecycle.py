"""Where a payout is, and what the log says of it."""

from api.sandbox.lifecycle import DISBURSEMENT_LIFECYCLE

PAYOUT_LIFECYCLE = DISBURSEMENT_LIFECYCLE
SENTENCES = {
    "payout.created": "{actor} asked for the payout {subject}",
    "payout.completed": "{actor} completed the payout {subject}",
    "payout.failed": "{actor} failed the payout {subject}",
}
