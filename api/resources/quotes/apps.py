"""App config, what the log says of quotes."""

from django.apps import AppConfig


class QuotesConfig(AppConfig):
    """Quotes, which conversions and transfers use."""

    name = "api.resources.quotes"
    label = "quotes"

    def ready(self) -> None:
        from api.sandbox import quotes
        from console.audit import messages

        messages.register(quotes.SENTENCES)
