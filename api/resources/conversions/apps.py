"""App config, what the passing of time does to conversions."""

from django.apps import AppConfig


class ConversionsConfig(AppConfig):
    """Conversions from one balance to another."""

    name = "api.resources.conversions"
    label = "conversions"

    def ready(self) -> None:
        from api.sandbox.disbursements import CONVERSIONS
        from api.sandbox.lifecycle import CONVERSION_LIFECYCLE, DISBURSEMENT_STATUSES, SENTENCES
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register("sandbox.Conversion", CONVERSION_LIFECYCLE, DISBURSEMENT_STATUSES)
        messages.register(SENTENCES)
        schedule.every_minute("conversions.settle_due", CONVERSIONS.settle_due)
