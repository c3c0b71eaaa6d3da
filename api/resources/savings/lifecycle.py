"""Where money on its way into savings or out of them is, and what the log says of both."""

from api.sandbox.lifecycle import DISBURSEMENT_LIFECYCLE

SAVINGS_MOVEMENT_LIFECYCLE = DISBURSEMENT_LIFECYCLE
SENTENCES = {
    "savings.created": "{actor} opened the savings {subject}",
    "savings_movement.created": "{actor} asked for the savings movement {subject}",
    "savings_movement.completed": "{actor} completed the savings movement {subject}",
    "savings_movement.failed": "{actor} failed the savings movement {subject}",
}
