"""App config, what the passing of time does to orders of digital services."""

from django.apps import AppConfig


class DigitalServicesConfig(AppConfig):
    """Orders of airtime, data and bills."""

    name = "api.resources.digital_services"
    label = "digital_services"

    def ready(self) -> None:
        from api.sandbox import commercial_files, digital_services
        from api.sandbox.disbursements import SERVICE_ORDERS
        from api.sandbox.lifecycle import DISBURSEMENT_STATUSES, ORDER_LIFECYCLE, SENTENCES
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register("sandbox.ServiceOrder", ORDER_LIFECYCLE, DISBURSEMENT_STATUSES)
        messages.register(SENTENCES)
        schedule.every_minute("digital_services.settle_due", SERVICE_ORDERS.settle_due)
        commercial_files.register(digital_services.FILES)
