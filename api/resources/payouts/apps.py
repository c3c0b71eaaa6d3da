"""App config, what the passing of time does to payouts."""

from django.apps import AppConfig


class PayoutsConfig(AppConfig):
    """Payouts to bank accounts."""

    name = "api.resources.payouts"
    label = "payouts"

    def ready(self) -> None:
        from api.resources.payouts import lifecycle, payouts, statuses
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register("payouts.Payout", lifecycle.PAYOUT_LIFECYCLE, statuses.PAYOUT)
        messages.register(lifecycle.SENTENCES)
        schedule.every_minute("payouts.settle_due", payouts.settle_due)
