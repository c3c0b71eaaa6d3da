"""App config, and what the log says about itself."""

from django.apps import AppConfig


class AuditConfig(AppConfig):
    """The log."""

    name = "console.audit"
    label = "audit"

    def ready(self) -> None:
        from console.audit import messages

        messages.register(messages.OWN)
