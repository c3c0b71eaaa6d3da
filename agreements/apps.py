"""App config, console modules, event subscriptions."""

from django.apps import AppConfig


class AgreementsConfig(AppConfig):
    """Wires this package to the building."""

    name = "agreements"
