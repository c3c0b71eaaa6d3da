"""App config, what the passing of time does to orders of digital services."""

from django.apps import AppConfig


class DigitalServicesConfig(AppConfig):
    """Orders of airtime, data and bills."""

    name = "api.resources.digital_services"
    label = "digital_services"

    def ready(self) -> None:
        from api.resources import commercial_files
        from api.resources.digital_services import catalogue, lifecycle
        from api.resources.digital_services.orders import ORDERS
        from api.resources.disbursements import DISBURSEMENT_STATUSES
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register(
            "digital_services.ServiceOrder", lifecycle.ORDER_LIFECYCLE, DISBURSEMENT_STATUSES
        )
        messages.register(lifecycle.SENTENCES)
        schedule.every_minute("digital_services.settle_due", ORDERS.settle_due)
        commercial_files.register(catalogue.FILES)
