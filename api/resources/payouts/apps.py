"""App config, what the passing of time does to payouts."""

from django.apps import AppConfig


class PayoutsConfig(AppConfig):
    """Payouts to bank accounts."""

    name = "api.resources.payouts"
    label = "payouts"

    def ready(self) -> None:
        from api.resources.payouts import lifecycle, payouts
        from console.audit import messages
        from console.core import schedule
        from console.shell import tones

        tones.register("payouts.Payout", lifecycle.PAYOUT_TONES)
        messages.register(lifecycle.SENTENCES)
        schedule.every_minute("payouts.settle_due", payouts.settle_due)
