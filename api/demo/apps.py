"""App config."""

from django.apps import AppConfig


class DemoConfig(AppConfig):
    """The demo world, and the command that makes it."""

    name = "api.demo"
    label = "demo"
