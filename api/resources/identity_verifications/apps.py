"""App config, what the passing of time does to identity verifications."""

from django.apps import AppConfig


class IdentityVerificationsConfig(AppConfig):
    """Verifications of the identity of people, asked for by a business."""

    name = "api.resources.identity_verifications"
    label = "identity_verifications"

    def ready(self) -> None:
        from api.sandbox import identity_verifications
        from api.sandbox.lifecycle import SENTENCES, VERIFICATION_LIFECYCLE, VERIFICATION_STATUSES
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register(
            "sandbox.IdentityVerification",
            VERIFICATION_LIFECYCLE,
            VERIFICATION_STATUSES,
        )
        messages.register(SENTENCES)
        identity_verifications.register(identity_verifications.is_confirmed)
        schedule.every_minute(
            "identity_verifications.settle_due", identity_verifications.settle_due
        )
