"""App config, the link to the page."""

from django.apps import AppConfig


class OptInConfig(AppConfig):
    """Puts the page into the console."""

    name = "api.opt_in"
    label = "opt_in"

    def ready(self) -> None:
        from apikeys import currency_page

        currency_page.register("api:currency")
