"""App config, console modules."""

from django.apps import AppConfig


class TroubleshootingConfig(AppConfig):
    """Puts the request log into the console."""

    name = "api.troubleshooting"
    label = "troubleshooting"

    def ready(self) -> None:
        from apikeys import log_page
        from apikeys.signing import instructions
        from console.shell import modules

        log_page.register("api:staff_log")
        instructions.register("api:signing")
        modules.register(
            modules.ConsoleModule(
                key="request_log",
                name="Request log",
                route="api:log",
                icon="scroll-text",
                group="Developer",
                permission="key_view",
                order=120,
                key_hint="g l",
            )
        )
