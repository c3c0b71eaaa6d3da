"""App config: audit messages and scheduled jobs of evidence files."""

from django.apps import AppConfig


class EvidenceConfig(AppConfig):
    """Files that prove what an application says."""

    name = "onboarding.evidence"
    label = "evidence"

    def ready(self) -> None:
        from console.audit import messages
        from console.backups import named_files
        from console.core import schedule
        from onboarding.evidence import audit_messages, removal, scanning

        messages.register(audit_messages.SENTENCES)
        named_files.register(removal.stored_files)
        schedule.every_minute("evidence.scan", scanning.scan_waiting)
        schedule.every_night("evidence.remove", removal.remove_outlived)
