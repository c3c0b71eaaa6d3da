"""App config, console modules, event subscriptions."""

from django.apps import AppConfig


class ApikeysConfig(AppConfig):
    """Wires this package to the building."""

    name = "apikeys"
