"""App config, what the passing of time does to savings movements."""

from django.apps import AppConfig


class SavingsConfig(AppConfig):
    """Savings, and the money on its way there or back."""

    name = "api.resources.savings"
    label = "savings"

    def ready(self) -> None:
        from api.sandbox.disbursements import SAVINGS_MOVEMENTS
        from api.sandbox.lifecycle import (
            DISBURSEMENT_STATUSES,
            SAVINGS_MOVEMENT_LIFECYCLE,
            SENTENCES,
        )
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register(
            "sandbox.SavingsMovement", SAVINGS_MOVEMENT_LIFECYCLE, DISBURSEMENT_STATUSES
        )
        messages.register(SENTENCES)
        schedule.every_minute("savings.settle_due", SAVINGS_MOVEMENTS.settle_due)
