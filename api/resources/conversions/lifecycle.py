"""Where a conversion is, and what the log says of it."""

from api.sandbox.lifecycle import DISBURSEMENT_LIFECYCLE

CONVERSION_LIFECYCLE = DISBURSEMENT_LIFECYCLE
SENTENCES = {
    "conversion.created": "{actor} asked for the conversion {subject}",
    "conversion.completed": "{actor} completed the conversion {subject}",
    "conversion.failed": "{actor} failed the conversion {subject}",
}
