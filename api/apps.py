"""App config."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """What a key opens."""

    name = "api"

    def ready(self) -> None:
        from api import housekeeping
        from console.core import schedule

        schedule.every_minute("api.forget_idle_buckets", housekeeping.forget_idle_buckets)
        schedule.every_minute("api.forget_old_nonces", housekeeping.forget_old_nonces)
        schedule.every_minute("api.forget_old_answers", housekeeping.forget_old_answers)
        schedule.every_night("api.forget_old_usage", housekeeping.forget_old_usage)
