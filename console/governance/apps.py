"""App config and console modules."""

from django.apps import AppConfig


class GovernanceConfig(AppConfig):
    """Wires the watchers' pages to the building."""

    name = "console.governance"
    label = "governance"

    def ready(self) -> None:
        from console.audit import sentences
        from console.governance import work
        from console.shell import modules

        sentences.register(work.SENTENCES)
        modules.register(
            modules.ConsoleModule(
                key="audit",
                name="Audit log",
                route="governance:log",
                icon="scroll-text",
                group="Governance",
                audience="staff",
                permission="audit_view",
                order=90,
                key_hint="g a",
            )
        )
        modules.register(
            modules.ConsoleModule(
                key="work",
                name="Background work",
                route="governance:work",
                icon="activity",
                group="Governance",
                audience="staff",
                permission="work_view",
                order=95,
                key_hint="g b",
            )
        )
