"""Where a conversion is, and what the log says of it."""

from api.resources import disbursements

CONVERSION_LIFECYCLE = disbursements.DISBURSEMENT_LIFECYCLE
SENTENCES = {
    "conversion.created": "{actor} asked for the conversion {subject}",
    "conversion.completed": "{actor} completed the conversion {subject}",
    "conversion.failed": "{actor} failed the conversion {subject}",
}
