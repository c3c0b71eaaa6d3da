"""Where a withdrawal is, and what the log says of addresses and withdrawals."""

from api.sandbox.lifecycle import DISBURSEMENT_LIFECYCLE

WITHDRAWAL_LIFECYCLE = DISBURSEMENT_LIFECYCLE
SENTENCES = {
    "crypto_address.created": "{actor} asked for the address {subject}",
    "crypto_withdrawal.created": "{actor} asked for the withdrawal {subject}",
    "crypto_withdrawal.completed": "{actor} completed the withdrawal {subject}",
    "crypto_withdrawal.failed": "{actor} failed the withdrawal {subject}",
}
