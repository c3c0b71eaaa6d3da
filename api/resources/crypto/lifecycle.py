"""Where a withdrawal is, and what the log says of addresses and withdrawals."""

from api.resources import disbursements

WITHDRAWAL_LIFECYCLE = disbursements.DISBURSEMENT_LIFECYCLE
SENTENCES = {
    "address.created": "{actor} asked for the address {subject}",
    "withdrawal.created": "{actor} asked for the withdrawal {subject}",
    "withdrawal.completed": "{actor} completed the withdrawal {subject}",
    "withdrawal.failed": "{actor} failed the withdrawal {subject}",
}
