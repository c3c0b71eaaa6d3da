"""App config, and the audit log's messages about itself."""

from django.apps import AppConfig


class AuditConfig(AppConfig):
    name = "console.audit"
    label = "audit"

    def ready(self) -> None:
        from console.audit import chain, messages
        from console.core import schedule

        messages.register(messages.OWN)
        schedule.every_five_seconds("audit.link_entries", chain.link)
