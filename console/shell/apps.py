"""App config."""

from django.apps import AppConfig


class ShellConfig(AppConfig):
    """The shell. Other packages register with it; it imports none of them."""

    name = "console.shell"
    label = "shell"
