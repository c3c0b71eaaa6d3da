"""App config."""

from django.apps import AppConfig


class ShellConfig(AppConfig):
    """The frame; packages register with it, and it imports none of them."""

    name = "console.shell"
    label = "shell"
