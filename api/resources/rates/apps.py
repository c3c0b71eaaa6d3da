"""App config: who puts a version of the file in use."""

from django.apps import AppConfig


class RatesConfig(AppConfig):
    """What one currency is worth in another."""

    name = "api.resources.rates"
    label = "rates"

    def ready(self) -> None:
        from api.sandbox import commercial_files, exchange_rates

        commercial_files.register(exchange_rates.FILES)
