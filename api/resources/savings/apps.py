"""App config, what the passing of time does to savings movements."""

from django.apps import AppConfig


class SavingsConfig(AppConfig):
    """Savings, and the money on its way there or back."""

    name = "api.resources.savings"
    label = "savings"

    def ready(self) -> None:
        from api.resources.disbursements import DISBURSEMENT_STATUSES
        from api.resources.savings import lifecycle
        from api.resources.savings.savings import SAVINGS_MOVEMENTS
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register(
            "savings.SavingsMovement", lifecycle.SAVINGS_MOVEMENT_LIFECYCLE, DISBURSEMENT_STATUSES
        )
        messages.register(lifecycle.SENTENCES)
        schedule.every_minute("savings.settle_due", SAVINGS_MOVEMENTS.settle_due)
