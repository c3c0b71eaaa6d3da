"""Where a transfer is, and what the log says of remittance."""

from api.resources import disbursements

TRANSFER_LIFECYCLE = disbursements.DISBURSEMENT_LIFECYCLE
SENTENCES = {
    "beneficiary.created": "{actor} created the beneficiary {subject}",
    "beneficiary.removed": "{actor} removed the beneficiary {subject}",
    "transfer.created": "{actor} asked for the transfer {subject}",
    "transfer.completed": "{actor} completed the transfer {subject}",
    "transfer.failed": "{actor} failed the transfer {subject}",
}
