"""App config: registers the verification of the audit log and of stored files."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.apps import AppConfig

if TYPE_CHECKING:
    from console.backups.named_files import NamedFile


class BackupsConfig(AppConfig):
    name = "console.backups"
    label = "backups"

    def ready(self) -> None:
        from console.audit import heads
        from console.backups import named_files, verifications

        verifications.register("log", lambda _tell: map(str, heads.compare().findings))
        verifications.register("files", named_files.damaged)
        named_files.register(_marks_of_stores)


def _marks_of_stores() -> "Iterable[NamedFile]":
    """Return the file by which hosts recognise the document store."""
    from console.backups import named_files
    from console.hosts import shared_values

    return named_files.rows(shared_values.marks_of_stores(), "value", folder=shared_values.FOLDER)
