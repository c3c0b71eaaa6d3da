"""App config, what the passing of time does to refunds."""

from django.apps import AppConfig


class RefundsConfig(AppConfig):
    """Refunds of payments."""

    name = "api.resources.refunds"
    label = "refunds"

    def ready(self) -> None:
        from api.resources.disbursements import DISBURSEMENT_STATUSES
        from api.resources.refunds import lifecycle
        from api.resources.refunds.refunds import REFUNDS
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register("refunds.Refund", lifecycle.REFUND_LIFECYCLE, DISBURSEMENT_STATUSES)
        messages.register(lifecycle.SENTENCES)
        schedule.every_minute("refunds.settle_due", REFUNDS.settle_due)
