"""App config, what the passing of time does to OTC orders."""

from django.apps import AppConfig


class OtcConfig(AppConfig):
    """Orders that buy or sell an asset."""

    name = "api.resources.otc"
    label = "otc"

    def ready(self) -> None:
        from api.resources.disbursements import DISBURSEMENT_STATUSES
        from api.resources.otc import lifecycle
        from api.resources.otc.otc_orders import OTC_ORDERS
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register("otc.OtcOrder", lifecycle.OTC_ORDER_LIFECYCLE, DISBURSEMENT_STATUSES)
        messages.register(lifecycle.SENTENCES)
        schedule.every_minute("otc.settle_due", OTC_ORDERS.settle_due)
