"""App config: registers the management commands, the roles' migration and the system checks."""

from django.apps import AppConfig


class CoreConfig(AppConfig):
    """The core app. It has no tables of its own."""

    name = "console.core"
    label = "core"

    def ready(self) -> None:
        # Importing the module registers the checks.
        from console.core import checks as checks
        from console.core import connection_checks as connection_checks
