"""App config, what the passing of time does to OTC orders."""

from django.apps import AppConfig


class OtcConfig(AppConfig):
    """Orders that buy or sell an asset."""

    name = "api.resources.otc"
    label = "otc"

    def ready(self) -> None:
        from api.sandbox.disbursements import OTC_ORDERS
        from api.sandbox.lifecycle import DISBURSEMENT_STATUSES, OTC_ORDER_LIFECYCLE, SENTENCES
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register("sandbox.OtcOrder", OTC_ORDER_LIFECYCLE, DISBURSEMENT_STATUSES)
        messages.register(SENTENCES)
        schedule.every_minute("otc.settle_due", OTC_ORDERS.settle_due)
