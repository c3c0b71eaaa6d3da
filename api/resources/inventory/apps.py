"""App config, what the log says of the inventory."""

from django.apps import AppConfig


class InventoryConfig(AppConfig):
    """The stock of a business."""

    name = "api.resources.inventory"
    label = "inventory"

    def ready(self) -> None:
        from api.sandbox import inventory
        from console.audit import messages

        messages.register(inventory.SENTENCES)
