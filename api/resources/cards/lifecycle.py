"""Where a card stands, and what the log says of cards."""

from django.db import models

from api.sandbox.lifecycle import DISBURSEMENT_LIFECYCLE
from console.core.lifecycle import Lifecycle
from console.core.status_table import StatusRow


class CardStatus(models.TextChoices):
    """Whether it can pay (D-10). One of plastic is inactive until its holder has it."""

    ACTIVE = "active", "Active"
    INACTIVE = "inactive", "Inactive"
    FROZEN = "frozen", "Frozen"
    TERMINATED = "terminated", "Terminated"


CARD_LIFECYCLE = Lifecycle(
    {
        CardStatus.INACTIVE: [CardStatus.ACTIVE, CardStatus.TERMINATED],
        CardStatus.ACTIVE: [CardStatus.FROZEN, CardStatus.TERMINATED],
        CardStatus.FROZEN: [CardStatus.ACTIVE, CardStatus.TERMINATED],
        CardStatus.TERMINATED: [],
    },
    start=[CardStatus.ACTIVE, CardStatus.INACTIVE],
)
CARD_STATUSES: dict[str, StatusRow] = {
    CardStatus.ACTIVE: StatusRow("ok"),
    CardStatus.INACTIVE: StatusRow("neutral"),
    CardStatus.FROZEN: StatusRow("warning"),
    CardStatus.TERMINATED: StatusRow("quiet"),
}
CARD_TRANSACTION_LIFECYCLE = DISBURSEMENT_LIFECYCLE
SENTENCES = {
    "cardholder.created": "{actor} created the cardholder {subject}",
    "card.created": "{actor} had the card {subject} issued",
    "card.active": "{actor} made the card {subject} active",
    "card.unfrozen": "{actor} let the frozen card {subject} pay again",
    "card.frozen": "{actor} froze the card {subject}",
    "card.terminated": "{actor} terminated the card {subject}",
    "card_transaction.created": "{actor} asked for the card transaction {subject}",
    "card_transaction.completed": "{actor} completed the card transaction {subject}",
    "card_transaction.failed": "{actor} declined the card transaction {subject}",
}
