"""App config, what the passing of time does to refunds."""

from django.apps import AppConfig


class RefundsConfig(AppConfig):
    """Refunds of payments."""

    name = "api.resources.refunds"
    label = "refunds"

    def ready(self) -> None:
        from api.sandbox.disbursements import REFUNDS
        from api.sandbox.lifecycle import DISBURSEMENT_STATUSES, REFUND_LIFECYCLE, SENTENCES
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register("sandbox.Refund", REFUND_LIFECYCLE, DISBURSEMENT_STATUSES)
        messages.register(SENTENCES)
        schedule.every_minute("refunds.settle_due", REFUNDS.settle_due)
