"""App config: navigation entry, and audit messages about publishing."""

from django.apps import AppConfig
from django.utils.translation import gettext_noop as _


class PublishingConfig(AppConfig):
    """Connects versioned files to the console. Other packages register their kinds."""

    name = "console.publishing"
    label = "publishing"

    def ready(self) -> None:
        from console.audit import messages
        from console.publishing import (
            checks,  # noqa: F401  # registers what `check --deploy` asks
            publications,
        )
        from console.shell import modules

        messages.register(
            {
                "publication.proposed": _("{actor} proposed to put {subject} in use"),
                "publication.put_in_use": _("{actor} put {subject} in use"),
                "publication.withdrawn": _("{actor} withdrew the proposal {subject}"),
            }
        )
        modules.register(
            modules.ConsoleModule(
                key="publishing",
                name=_("Versions in use"),
                route="publishing:versions",
                icon="file-check",
                group=_("Governance"),
                audience="staff",
                permission="review_view",
                order=85,
                key_hint="g v",
                waiting=publications.waiting,
                work_of=(
                    "edition_propose",
                    "edition_publish",
                    "template_propose",
                    "template_publish",
                    "price_list_propose",
                    "price_list_publish",
                    "restriction_change",
                ),
            )
        )
