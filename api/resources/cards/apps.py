"""App config, what the passing of time does to card transactions."""

from django.apps import AppConfig


class CardsConfig(AppConfig):
    """Cardholders, cards, and what is paid with them."""

    name = "api.resources.cards"
    label = "cards"

    def ready(self) -> None:
        from api.sandbox.disbursements import CARD_TRANSACTIONS
        from api.sandbox.lifecycle import (
            CARD_LIFECYCLE,
            CARD_STATUSES,
            CARD_TRANSACTION_LIFECYCLE,
            DISBURSEMENT_STATUSES,
            SENTENCES,
        )
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register("sandbox.Card", CARD_LIFECYCLE, CARD_STATUSES)
        status_table.register(
            "sandbox.CardTransaction", CARD_TRANSACTION_LIFECYCLE, DISBURSEMENT_STATUSES
        )
        messages.register(SENTENCES)
        schedule.every_minute("cards.settle_due", CARD_TRANSACTIONS.settle_due)
