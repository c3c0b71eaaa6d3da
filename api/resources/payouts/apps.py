"""App config, what the passing of time does to payouts."""

from django.apps import AppConfig


class PayoutsConfig(AppConfig):
    """Payouts to bank accounts."""

    name = "api.resources.payouts"
    label = "payouts"

    def ready(self) -> None:
        from api.resources.disbursements import DISBURSEMENT_STATUSES
        from api.resources.payouts import lifecycle
        from api.resources.payouts.payouts import PAYOUTS
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register("payouts.Payout", lifecycle.PAYOUT_LIFECYCLE, DISBURSEMENT_STATUSES)
        messages.register(lifecycle.SENTENCES)
        schedule.every_minute("payouts.settle_due", PAYOUTS.settle_due)
