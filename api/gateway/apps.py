"""App config."""

from django.apps import AppConfig


class GatewayConfig(AppConfig):
    """The API's gateway."""

    name = "api.gateway"
    label = "gateway"

    def ready(self) -> None:
        from api.gateway import housekeeping
        from console.core import schedule

        schedule.every_minute("gateway.forget_idle_buckets", housekeeping.forget_idle_buckets)
        schedule.every_minute("gateway.forget_old_nonces", housekeeping.forget_old_nonces)
        schedule.every_minute("gateway.forget_old_answers", housekeeping.forget_old_answers)
        schedule.every_night("gateway.forget_old_usage", housekeeping.forget_old_usage)
