"""App config, and a console module for each product."""

from django.apps import AppConfig
from django.utils.translation import gettext_noop as _


class ModulesConfig(AppConfig):
    """Registers each product as a console module, under its own key."""

    name = "api.modules"
    label = "modules"

    def ready(self) -> None:
        from api.modules import object_search
        from console.catalogue.definitions import PRODUCTS
        from console.shell import modules, search

        search.register(object_search.objects)
        for order, product in enumerate(PRODUCTS.values(), 200):
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
