"""App config, what the passing of time does to conversions."""

from django.apps import AppConfig


class ConversionsConfig(AppConfig):
    """Conversions from one balance to another."""

    name = "api.resources.conversions"
    label = "conversions"

    def ready(self) -> None:
        from api.resources.conversions import lifecycle
        from api.resources.conversions.conversions import CONVERSIONS
        from api.resources.disbursements import DISBURSEMENT_STATUSES
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register(
            "conversions.Conversion", lifecycle.CONVERSION_LIFECYCLE, DISBURSEMENT_STATUSES
        )
        messages.register(lifecycle.SENTENCES)
        schedule.every_minute("conversions.settle_due", CONVERSIONS.settle_due)
