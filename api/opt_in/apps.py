"""App config, and the link to the page."""

from django.apps import AppConfig


class OptInConfig(AppConfig):
    """Registers the page with the console."""

    name = "api.opt_in"
    label = "opt_in"

    def ready(self) -> None:
        from console.core import pages_above

        pages_above.register(currency="api:currency")
