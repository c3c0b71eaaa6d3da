"""App config: registers the verification of the audit log and of stored files."""

from django.apps import AppConfig


class BackupsConfig(AppConfig):
    name = "console.backups"
    label = "backups"

    def ready(self) -> None:
        from console.audit import heads
        from console.backups import named_files, verifications

        verifications.register("log", lambda _tell: map(str, heads.compare().findings))
        verifications.register("files", named_files.damaged)
