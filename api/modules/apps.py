"""App config, and a console module for each product without pages of its own."""

from django.apps import AppConfig
from django.utils.translation import gettext_noop as _


class ModulesConfig(AppConfig):
    """Registers products as console modules, under their own keys."""

    name = "api.modules"
    label = "modules"

    def ready(self) -> None:
        from api.modules import object_search, own_pages
        from console.catalogue.definitions import PRODUCTS
        from console.shell import modules, search

        search.register(object_search.objects)
        for order, product in enumerate(PRODUCTS.values(), 200):
            if product.key in own_pages.PAGES:
                continue
            modules.register(
                modules.ConsoleModule(
                    key=product.key,
                    name=product.name,
                    route="api:module",
                    icon=product.icon,
                    group=_("Products"),
                    permission="product_view",
                    order=order,
                    product=product.key,
                )
            )
