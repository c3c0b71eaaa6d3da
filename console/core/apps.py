"""App config: makes the commands, the roles' migration and the checks known."""

from django.apps import AppConfig


class CoreConfig(AppConfig):
    """The words; it has no tables of its own."""

    name = "console.core"
    label = "core"

    def ready(self) -> None:
        # Importing them registers them.
        from console.core import checks as checks
