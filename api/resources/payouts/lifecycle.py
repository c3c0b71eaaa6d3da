"""Where a payout is, and what the log says of it."""

from api.resources import disbursements

PAYOUT_LIFECYCLE = disbursements.DISBURSEMENT_LIFECYCLE
SENTENCES = {
    "payout.created": "{actor} asked for the payout {subject}",
    "payout.completed": "{actor} completed the payout {subject}",
    "payout.failed": "{actor} failed the payout {subject}",
}
