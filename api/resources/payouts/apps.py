"""App config, what the passing of time does to payouts."""

from django.apps import AppConfig


class PayoutsConfig(AppConfig):
    """Payouts to bank accounts."""

    name = "api.resources.payouts"
    label = "payouts"

    def ready(self) -> None:
        from api.sandbox.disbursements import PAYOUTS
        from api.sandbox.lifecycle import DISBURSEMENT_STATUSES, PAYOUT_LIFECYCLE, SENTENCES
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register("sandbox.Payout", PAYOUT_LIFECYCLE, DISBURSEMENT_STATUSES)
        messages.register(SENTENCES)
        schedule.every_minute("payouts.settle_due", PAYOUTS.settle_due)
