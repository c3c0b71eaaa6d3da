"""App config, and audit messages about products."""

from django.apps import AppConfig
from django.utils.translation import gettext_noop as _


class CatalogueConfig(AppConfig):
    name = "console.catalogue"
    label = "catalogue"

    def ready(self) -> None:
        from console.audit import messages
        from console.catalogue import lifecycle, public_kinds
        from console.core import status_table

        status_table.register("catalogue.BusinessProduct", lifecycle.LIFECYCLE, lifecycle.PRODUCT)
        public_kinds.register()
        messages.register(
            {
                "product.requested": _("{actor} requested the product {subject}"),
                "product.approved": _("{actor} approved the product {subject}"),
                "product.refused": _("{actor} refused the product {subject}"),
                "product.taken_out": _(
                    "{actor} removed the product {subject} from the application"
                ),
                "product.added": _("The agreement added the product {subject}"),
                "product.withdrawn": _("{actor} withdrew the product {subject}"),
                "module_setting.set_by_hand": _("{actor} set the module {subject} by hand"),
                "module_setting.released": _(
                    "{actor} removed the manual setting of the module {subject}"
                ),
                "module_setting.synced": _(
                    "{actor} set the module {subject} to follow its product"
                ),
            }
        )
