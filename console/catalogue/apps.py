"""App config, and what the log says about products."""

from django.apps import AppConfig


class CatalogueConfig(AppConfig):
    """Wires the catalogue to the console."""

    name = "console.catalogue"
    label = "catalogue"

    def ready(self) -> None:
        from console.audit import messages
        from console.catalogue import lifecycle, module_settings, public_kinds
        from console.core import status_table
        from console.shell import modules

        modules.show_products_by(module_settings.shown)
        status_table.register("catalogue.BusinessProduct", lifecycle.LIFECYCLE, lifecycle.PRODUCT)
        public_kinds.register()
        messages.register(
            {
                "product.requested": "{actor} asked for the product {subject}",
                "product.approved": "{actor} approved the product {subject}",
                "product.refused": "{actor} refused the product {subject}",
                "product.taken_out": "{actor} took the product {subject} out of the application",
                "product.added": "The agreement added the product {subject}",
                "product.withdrawn": "{actor} withdrew the product {subject}",
                "module_setting.set_by_hand": "{actor} set the module {subject} by hand",
                "module_setting.released": "{actor} handed the module {subject} back",
                "module_setting.synced": "{actor} let the module {subject} follow its product",
            }
        )
