"""App config and console module."""

from django.apps import AppConfig


class AuditConfig(AppConfig):
    """The log and its place in the navigation."""

    name = "console.audit"
    label = "audit"

    def ready(self) -> None:
        from console.audit import sentences
        from console.shell import modules

        sentences.register(sentences.OWN)
        modules.register(
            modules.ConsoleModule(
                key="audit",
                name="Audit log",
                route="audit:log",
                icon="scroll-text",
                group="Governance",
                audience="staff",
                permission="audit_view",
                order=90,
                key_hint="g a",
            )
        )
