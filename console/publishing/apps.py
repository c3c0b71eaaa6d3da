"""App config, the page's place in the navigation, and what the log says about publishing."""

from django.apps import AppConfig


class PublishingConfig(AppConfig):
    """Wires versioned files to the console; packages register their kinds."""

    name = "console.publishing"
    label = "publishing"

    def ready(self) -> None:
        from console.audit import messages
        from console.publishing import checks  # noqa: F401  # registers what `check --deploy` asks
        from console.shell import modules

        messages.register(
            {
                "publication.proposed": "{actor} proposed {subject} to be put in use",
                "publication.put_in_use": "{actor} put {subject} in use",
                "publication.withdrawn": "{actor} withdrew the proposal {subject}",
            }
        )
        modules.register(
            modules.ConsoleModule(
                key="publishing",
                name="Versions in use",
                route="publishing:versions",
                icon="file-check",
                group="Governance",
                audience="staff",
                permission="review_view",
                order=85,
                key_hint="g v",
            )
        )
