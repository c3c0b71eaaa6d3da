"""App config: starts traces and error reports where they are set."""

from django.apps import AppConfig
from django.conf import settings


class ObservabilityConfig(AppConfig):
    """It has no tables of its own."""

    name = "console.observability"
    label = "observability"

    def ready(self) -> None:
        # Imported only where they are set, because the libraries cost memory in each process.
        if settings.OTLP_ENDPOINT:
            from console.observability import traces

            traces.start()
        if settings.SENTRY_DSN:
            from console.observability import error_reports

            error_reports.start()
