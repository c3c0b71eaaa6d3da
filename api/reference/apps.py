"""App config: links the documentation from every page, and registers it with lower layers."""

from django.apps import AppConfig
from django.utils.translation import gettext_noop as _


class ReferenceConfig(AppConfig):
    """The API documentation."""

    name = "api.reference"
    label = "reference"

    def ready(self) -> None:
        from api.reference import documented_operations
        from apikeys import api_reference
        from console.core import pages_above
        from console.shell import modules

        pages_above.register(
            docs="api:docs", product_docs="api:product", webhooks_guide="api:webhooks_guide"
        )
        api_reference.register_operations(documented_operations.of_scope)
        api_reference.register_unserved(documented_operations.unserved)
        modules.register(
            modules.ConsoleModule(
                key="docs",
                name=_("API documentation"),
                route="api:docs",
                icon="book-open",
                audience="public",
                order=110,
                card="api/_docs_card.html",
            )
        )
