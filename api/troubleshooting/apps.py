"""App config and console modules."""

from django.apps import AppConfig
from django.utils.translation import gettext_noop as _


class TroubleshootingConfig(AppConfig):
    """Registers the request log with the console."""

    name = "api.troubleshooting"
    label = "troubleshooting"

    def ready(self) -> None:
        from api.troubleshooting import call_search
        from console.core import pages_above
        from console.shell import modules, search

        pages_above.register(
            request_log="api:staff_log", logged_call="api:staff_logged_call", signing="api:signing"
        )
        search.register(call_search.calls)
        modules.register(
            modules.ConsoleModule(
                key="request_log",
                name=_("Request log"),
                route="api:log",
                icon="scroll-text",
                group=_("Developer"),
                permission="key_view",
                order=120,
                key_hint="g l",
            )
        )
