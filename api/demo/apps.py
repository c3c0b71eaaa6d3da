"""App config."""

from django.apps import AppConfig


class DemoConfig(AppConfig):
    """The demo data and its management command."""

    name = "api.demo"
    label = "demo"
