"""App config."""

from django.apps import AppConfig


class DoorConfig(AppConfig):
    """The API's door."""

    name = "api.door"
    label = "door"
