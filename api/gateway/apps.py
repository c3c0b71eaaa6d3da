"""App config."""

from django.apps import AppConfig


class GatewayConfig(AppConfig):
    """The API's door."""

    name = "api.gateway"
    label = "door"

    def ready(self) -> None:
        from api.gateway import housekeeping
        from console.core import schedule

        schedule.every_minute("door.forget_idle_buckets", housekeeping.forget_idle_buckets)
        schedule.every_minute("door.forget_old_requests", housekeeping.forget_old_requests)
