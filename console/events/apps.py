"""App config: the job that shows that jobs run, and figures."""

from django.apps import AppConfig


class EventsConfig(AppConfig):
    name = "console.events"
    label = "events"

    def ready(self) -> None:
        from console.core import schedule
        from console.events import background_health, figures
        from console.observability import figures as registry

        schedule.every_minute(background_health.TICK, background_health.tick)
        registry.register("events", figures.read)
