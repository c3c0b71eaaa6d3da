"""App config."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """The API for businesses."""

    name = "api"

    def ready(self) -> None:
        from api import retention
        from api.v1 import public_kinds
        from console.core import key_uses, schedule

        public_kinds.register()
        key_uses.register("VAULT_KEYS", key_uses.sealed_in("api.IdempotencyRecord", "answer"))
        schedule.every_minute("api.forget_idle_buckets", retention.forget_idle_buckets)
        schedule.every_minute("api.forget_old_nonces", retention.forget_old_nonces)
        schedule.every_minute("api.forget_old_answers", retention.forget_old_answers)
        schedule.every_night("api.forget_old_usage", retention.forget_old_usage)
