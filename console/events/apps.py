"""App config."""

from django.apps import AppConfig


class EventsConfig(AppConfig):
    """The outbox."""

    name = "console.events"
    label = "events"
