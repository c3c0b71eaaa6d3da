"""App config, what the passing of time does to card transactions."""

from django.apps import AppConfig


class CardsConfig(AppConfig):
    """Cardholders, cards, and what is paid with them."""

    name = "api.resources.cards"
    label = "cards"

    def ready(self) -> None:
        from api.resources.cards import lifecycle
        from api.resources.cards.card_transactions import CARD_TRANSACTIONS
        from api.resources.disbursements import DISBURSEMENT_STATUSES
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register("cards.Card", lifecycle.CARD_LIFECYCLE, lifecycle.CARD_STATUSES)
        status_table.register(
            "cards.CardTransaction", lifecycle.CARD_TRANSACTION_LIFECYCLE, DISBURSEMENT_STATUSES
        )
        messages.register(lifecycle.SENTENCES)
        schedule.every_minute("cards.settle_due", CARD_TRANSACTIONS.settle_due)
