"""App config: the public kinds of checkout, which can be selected before any is sent."""

from django.apps import AppConfig


class CheckoutConfig(AppConfig):
    """Checkout sessions."""

    name = "api.resources.checkout"
    label = "checkout"

    def ready(self) -> None:
        from api.sandbox import checkout_kinds

        checkout_kinds.register()
