"""App config, what the log says of orders."""

from django.apps import AppConfig


class OrdersConfig(AppConfig):
    """Orders of a business."""

    name = "api.resources.orders"
    label = "orders"

    def ready(self) -> None:
        from api.sandbox import orders
        from console.audit import messages

        messages.register(orders.SENTENCES)
