"""App config, what the log says of customers."""

from django.apps import AppConfig


class CustomersConfig(AppConfig):
    """The customers of a business."""

    name = "api.resources.customers"
    label = "customers"

    def ready(self) -> None:
        from api.sandbox import customers
        from console.audit import messages

        messages.register(customers.SENTENCES)
