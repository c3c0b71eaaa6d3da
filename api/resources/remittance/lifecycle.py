"""Where a transfer is, and what the log says of remittance."""

from api.sandbox.lifecycle import DISBURSEMENT_LIFECYCLE

TRANSFER_LIFECYCLE = DISBURSEMENT_LIFECYCLE
SENTENCES = {
    "beneficiary.created": "{actor} created the beneficiary {subject}",
    "beneficiary.removed": "{actor} removed the beneficiary {subject}",
    "transfer.created": "{actor} asked for the transfer {subject}",
    "transfer.completed": "{actor} completed the transfer {subject}",
    "transfer.failed": "{actor} failed the transfer {subject}",
}
