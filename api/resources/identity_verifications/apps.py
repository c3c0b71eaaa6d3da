"""App config, what the passing of time does to identity verifications."""

from django.apps import AppConfig


class IdentityVerificationsConfig(AppConfig):
    """Verifications of the identity of people, asked for by a business."""

    name = "api.resources.identity_verifications"
    label = "identity_verifications"

    def ready(self) -> None:
        from api.resources.customers import confirmed_names
        from api.resources.identity_verifications import identity_verifications, lifecycle
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register(
            "identity_verifications.IdentityVerification",
            lifecycle.VERIFICATION_LIFECYCLE,
            lifecycle.STATUSES,
        )
        messages.register(lifecycle.SENTENCES)
        confirmed_names.register(identity_verifications.is_confirmed)
        schedule.every_minute(
            "identity_verifications.settle_due", identity_verifications.settle_due
        )
